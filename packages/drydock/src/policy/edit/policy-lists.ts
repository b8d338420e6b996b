import { DrydockError } from "@drydock/protocol";
import {
  ALLOW_KINDS,
  type AllowKind,
  findPolicyKey,
  POLICY_KEYS,
  type PolicyKey,
  readPolicyPath,
} from "../policy-keys.ts";
import { readPolicyRange } from "../policy-range.ts";
import { SYSTEM_POLICY } from "../system-policy.ts";
import { type OpenPolicy, removeNode, setNode } from "./policy-file.ts";

/** The list that `allow` and `deny` change for a kind, and the list of what is denied of it, where there is one. */
export interface KindLists {
  kind: AllowKind;
  allow: PolicyKey;
  deny: PolicyKey | undefined;
}

const DENY_PATHS: Partial<Record<AllowKind, string>> = {
  command: "commands.deny",
  write: "files.protect",
  import: "python.imports.block",
};

export function findKindLists(kind: string, values: readonly string[]): KindLists {
  const allow = POLICY_KEYS.find((key) => key.allowKind === kind);
  if (!allow?.allowKind) {
    const hint = `Give one of ${ALLOW_KINDS.join(", ")}.`;
    throw new DrydockError("input.invalid", `The policy has no list of kind ${kind}.`, hint, { kind });
  }
  for (const value of values) {
    const problem = allow.describeProblem?.(value);
    if (problem) {
      const hint = kind === "network" ? "Name host:port, such as example.org:443." : "Correct the entry.";
      throw new DrydockError("input.invalid", `${JSON.stringify(value)} ${problem}.`, hint, { key: allow.path, value });
    }
  }
  const path = DENY_PATHS[allow.allowKind];
  return { kind: allow.allowKind, allow, deny: path === undefined ? undefined : findPolicyKey(path) };
}

/** The list in the file, or the system's default if the file has none. */
export function readAllowed({ source }: OpenPolicy, { path }: PolicyKey): string[] {
  const range = readPolicyRange(source.document, path);
  const list = range ? (range.max ?? range.default) : readPolicyRange(SYSTEM_POLICY, path)?.max;
  return Array.isArray(list) ? [...(list as readonly string[])] : [];
}

/** Where the list stands that is to grow: under `max`, under `default`, or at the key itself. */
export function findListPart({ source }: OpenPolicy, { path }: PolicyKey): string[] {
  if (readPolicyPath(source.document, `${path}.max`) !== undefined) return ["max"];
  if (readPolicyPath(source.document, `${path}.default`) !== undefined) return ["default"];
  return [];
}

/** The file's own entries of a list of what is denied; those that start with `!` take one off the inherited list. */
export function readDeniedInFile({ source }: OpenPolicy, { path }: PolicyKey): string[] {
  const list = readPolicyPath(source.document, path);
  return Array.isArray(list) ? [...(list as string[])] : [];
}

export function writeDenied(policy: OpenPolicy, { path }: PolicyKey, entries: readonly string[]): void {
  if (entries.length === 0) removeNode(policy, path.split("."));
  else setNode(policy, path.split("."), entries);
}
