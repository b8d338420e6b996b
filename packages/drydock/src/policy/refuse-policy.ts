import { DrydockError } from "@drydock/protocol";
import { fileProblemError } from "../base/text/index.ts";
import type { PolicySource } from "./load-policy-file.ts";
import type { PolicyKey } from "./policy-keys.ts";
import type { PolicyRange } from "./policy-range.ts";
import type { ResolvedRange } from "./resolve-policy.ts";
import type { PolicyValue } from "./scales.ts";
import { quoteShell } from "./shell/quote-shell.ts";

interface Excess {
  /** What goes beyond the ceiling: for a list, only the entries that do. */
  value: PolicyValue;
  /** The dotted path of the first thing that goes beyond. */
  path: string;
}

function isList(value: PolicyValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

function findExcess(
  key: PolicyKey,
  span: ResolvedRange,
  range: PolicyRange,
  positions: Readonly<Record<string, unknown>>,
): Excess {
  for (const part of ["default", "max"] as const) {
    const value = range[part];
    if (value === undefined) continue;
    const path = positions[`${key.path}.${part}`] ? `${key.path}.${part}` : key.path;
    if (!isList(value)) {
      if (!key.scale.within(value, span.ceiling)) return { value, path };
      continue;
    }
    const beyond = value.filter((entry) =>
      key.denies ? entry.startsWith("!") : !key.scale.within([entry], span.ceiling),
    );
    if (beyond.length > 0) return { value: beyond, path: `${path}.${value.indexOf(beyond[0] ?? "")}` };
  }
  return { value: span.ceiling, path: key.path };
}

function showValue(value: PolicyValue): string {
  if (!isList(value)) return String(value);
  return value.length === 0 ? "none" : value.join(", ");
}

function quoteYaml(value: PolicyValue): string {
  return isList(value) ? `[${value.map((entry) => JSON.stringify(entry)).join(", ")}]` : String(value);
}

/** What the ceiling would have to be: a list in a policy file replaces the one before it, so it names everything. */
function raiseCeiling(span: ResolvedRange, excess: Excess): PolicyValue {
  return isList(excess.value) && isList(span.ceiling) ? [...span.ceiling, ...excess.value] : excess.value;
}

/** The lines that would let it through, to be added to a policy file. */
function writeLines(key: PolicyKey, span: ResolvedRange, excess: Excess): string {
  const wanted = raiseCeiling(span, excess);
  const value = key.ranged && !isList(wanted) ? `{ max: ${quoteYaml(wanted)} }` : quoteYaml(wanted);
  const lines = key.path.split(".").map((name, depth) => `${"  ".repeat(depth + 1)}${name}:`);
  return `${lines.join("\n")} ${value}`;
}

function writeCommand(key: PolicyKey, span: ResolvedRange, excess: Excess): string {
  if (key.allowKind && isList(excess.value)) {
    return `drydock policy allow ${key.allowKind} ${excess.value.map(quoteShell).join(" ")}`;
  }
  const path = key.ranged ? `${key.path}.max` : key.path;
  return `drydock policy set ${path} ${quoteShell(quoteYaml(raiseCeiling(span, excess)))}`;
}

/** How the owner could let it through. */
function describeRemedy(key: PolicyKey, span: ResolvedRange, excess: Excess, home: PolicySource | null): string {
  const where = home?.file ?? "policy.yaml in Drydock's home";
  return `let the owner add to ${where}:\n${writeLines(key, span, excess)}\nor run: ${writeCommand(key, span, excess)}`;
}

export function refuseRequest(
  key: PolicyKey,
  span: ResolvedRange,
  range: PolicyRange,
  home: PolicySource | null,
): DrydockError {
  const excess = findExcess(key, span, range, {});
  const data = { key: key.path, asked: excess.value, ceiling: span.ceiling };
  if (key.denies) {
    return new DrydockError(
      "policy.invalid",
      `The request removes entries from ${key.path} (${showValue(excess.value)}). A request may only add to this list.`,
      "Leave these entries out, or let the owner remove the ones that they name: policy.yaml in Drydock's home.",
      data,
    );
  }
  const message = `The request asks for ${key.path} ${showValue(excess.value)}; the policy's ceiling is ${showValue(span.ceiling)}.`;
  const { source, file, line } = span.ceilingFrom;
  if (source === "workspace") {
    const hint = `The workspace's own policy sets that ceiling: change ${file}:${line ?? 1}, or ask for less.`;
    return new DrydockError(key.deniedCode, message, hint, data);
  }
  const hint = `Ask for less, or ${describeRemedy(key, span, excess, home)}`;
  return new DrydockError(key.deniedCode, message, hint, data);
}

export function refuseWorkspace(
  key: PolicyKey,
  span: ResolvedRange,
  range: PolicyRange,
  workspace: PolicySource,
  home: PolicySource | null,
): DrydockError {
  const excess = findExcess(key, span, range, workspace.positions);
  const position = workspace.positions[excess.path] ?? workspace.positions[key.path];
  const invalid = (message: string, hint: string) =>
    fileProblemError("policy.invalid", workspace.file, { position, key: key.path, message, hint });
  if (key.denies) {
    const hint = "Delete this line: only the owner's policy.yaml can remove an entry from this list.";
    return invalid(`removes entries (${showValue(excess.value)}) from a list to which a workspace may only add`, hint);
  }
  const message = `asks for ${showValue(excess.value)}, but the ceiling is ${showValue(span.ceiling)}: a workspace policy can only restrict`;
  return invalid(message, `Remove it, or ${describeRemedy(key, span, excess, home)}`);
}
