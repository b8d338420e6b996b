import { type AllowKind, POLICY_KEYS } from "./policy-keys.ts";
import type { PolicyOrigin, ResolvedPolicy } from "./resolve-policy.ts";
import { quoteShell } from "./shell/quote-shell.ts";

/** Who wrote the rules of a policy, for messages about one of them. */
export type RuleOrigins = Pick<ResolvedPolicy, "origins" | "denials">;

/** Lists of what is denied from which `drydock policy allow` takes an entry. */
const LIFTED_BY: Record<string, AllowKind> = {
  "commands.deny": "command",
  "files.protect": "write",
  "python.imports.block": "import",
};

/** One entry of a list of what is denied: where it stands, and what removes it. */
export function explainDenyRule(key: string, entry: string, rules: RuleOrigins | undefined): string {
  const rule = `The rule is ${quote(entry)} in ${key}`;
  if (!rules) return `${rule}: \`drydock policy show --explain\` says who set it.`;
  const denial = rules.denials.find((each) => each.key === key && each.entry === entry);
  if (denial?.follows !== undefined) return `${rule}. ${explainSwitch(denial.follows, rules)}`;
  const origin = denial?.origin;
  const where = placeOf(origin);
  switch (origin?.source) {
    case "home": {
      const kind = LIFTED_BY[key];
      const command = kind && `\`drydock policy allow ${kind} ${quoteShell(entry)}\` removes it.`;
      return `${rule} (${where}). ${command ?? `Only the owner can lift it: remove the entry from ${where}.`}`;
    }
    case "workspace":
      return `${rule} of the workspace's own policy: remove the entry from ${where}.`;
    case "request":
      return `${rule} of the request's own policy: ask without it.`;
    case "preset":
      return `${rule}, which this command sets for its runs.`;
    default:
      return `${rule}, a default. Only the owner can lift it: add ${JSON.stringify(`!${entry}`)} to ${key} in the home policy.`;
  }
}

/** A key that is false: who set it, and what sets it to true. */
export function explainSwitch(key: string, rules: RuleOrigins | undefined): string {
  const origin = rules?.origins[key];
  const where = placeOf(origin);
  switch (origin?.source) {
    case "workspace":
      return `The workspace's own policy sets ${key} to false: remove it from ${where}.`;
    case "request":
      return `The request's own policy sets ${key} to false: ask without it.`;
    default:
      return `The owner's policy sets ${key} to false${where && ` (${where})`}. \`drydock policy unset ${key}\` lifts it.`;
  }
}

/** A list of what is allowed that does not hold `wanted`: who set it, and what adds to it. */
export function explainAllowList(key: string, wanted: string, rules: RuleOrigins | undefined): string {
  const origin = rules?.origins[key];
  switch (origin?.source) {
    case "workspace":
      return `The workspace's own policy sets ${key} (${placeOf(origin)}): add it there, as far as the owner's policy allows it.`;
    case "request":
      return `The request's own policy sets ${key}: add it there, as far as the owner's policy allows it.`;
    default: {
      const kind = POLICY_KEYS.find(({ path }) => path === key)?.allowKind;
      return `The owner can allow it: drydock policy allow ${kind} ${wanted}`;
    }
  }
}

function placeOf(origin: PolicyOrigin | undefined): string {
  return origin?.file === undefined ? "" : `${origin.file}:${origin.line ?? 1}`;
}

function quote(text: string): string {
  return `\`${text}\``;
}
