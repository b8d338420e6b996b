import { DrydockError } from "@drydock/protocol";
import type { PolicyKey } from "../policy-keys.ts";
import { readPolicyPath } from "../policy-keys.ts";
import { readPolicyRange } from "../policy-range.ts";
import { SYSTEM_POLICY } from "../system-policy.ts";
import { type OpenPolicy, openPolicy, savePolicy, setNode } from "./policy-file.ts";
import { findKindLists, readAllowed, readDeniedInFile, writeDenied } from "./policy-lists.ts";

export interface PolicyDenial {
  file: string;
  /** Entries that were allowed until now. */
  denied: string[];
  /** Entries that were not allowed before either. */
  already: string[];
}

/**
 * Takes entries away from what the home policy allows, and nothing else. An entry of the list itself is removed. What a
 * wider entry allows goes on the list of what is denied; where the policy has no such list, it is refused with the
 * entry to narrow, since it is not known which part of a wildcard the owner wants to keep.
 */
export async function denyInPolicyFile(path: string, kind: string, values: readonly string[]): Promise<PolicyDenial> {
  const { allow, deny } = findKindLists(kind, values);
  const policy = await openPolicy(path);
  const denied: string[] = [];
  const already: string[] = [];
  for (const value of new Set(values)) {
    const removed = kind === "import" ? false : removeEntry(policy, allow, value);
    const added = deny ? addDenied(policy, allow, deny, value) : refuseCovered(policy, allow, kind, value);
    (removed || added ? denied : already).push(value);
  }
  if (denied.length > 0) await savePolicy(path, policy);
  return { file: path, denied, already };
}

/** The lists as they stand in the document now: earlier entries of the same call have changed it. */
function readLists({ document }: OpenPolicy, { path }: PolicyKey): { part: string[]; list: string[] }[] {
  const root = document.toJS() as object;
  const parts = [[], ["default"], ["max"]];
  return parts.flatMap((part) => {
    const list = readPolicyPath(root, [path, ...part].join("."));
    return Array.isArray(list) ? [{ part, list: list as string[] }] : [];
  });
}

function removeEntry(policy: OpenPolicy, key: PolicyKey, value: string): boolean {
  const lists = readLists(policy, key);
  if (lists.length === 0 && readPolicyRange(policy.source.document, key.path) === undefined) {
    const system = readPolicyRange(SYSTEM_POLICY, key.path)?.max;
    if (Array.isArray(system)) lists.push({ part: [], list: system as string[] });
  }
  const holding = lists.filter(({ list }) => list.includes(value));
  for (const { part, list } of holding) {
    setNode(
      policy,
      [...key.path.split("."), ...part],
      list.filter((entry) => entry !== value),
    );
  }
  return holding.length > 0;
}

function findCovering(policy: OpenPolicy, key: PolicyKey, value: string): string | undefined {
  const lists = readLists(policy, key);
  const entries = lists.length > 0 ? lists.flatMap(({ list }) => list) : readAllowed(policy, key);
  return entries.find((entry) => key.scale.within([value], [entry]));
}

function addDenied(policy: OpenPolicy, allow: PolicyKey, deny: PolicyKey, value: string): boolean {
  const own = readLists(policy, deny)[0]?.list ?? readDeniedInFile(policy, deny);
  const isAllowed = allow.path === "python.imports.allow" || findCovering(policy, allow, value) !== undefined;
  const isLifted = own.includes(`!${value}`);
  if (own.includes(value) || !(isAllowed || isLifted)) return false;
  const system = readPolicyRange(SYSTEM_POLICY, deny.path)?.max;
  const isInherited = Array.isArray(system) && (system as readonly string[]).includes(value);
  if (isInherited && !isLifted) return false;
  const kept = own.filter((entry) => entry !== `!${value}`);
  writeDenied(policy, deny, isInherited ? kept : [...kept, value]);
  return true;
}

function refuseCovered(policy: OpenPolicy, key: PolicyKey, kind: string, value: string): false {
  const wider = findCovering(policy, key, value);
  if (wider === undefined) return false;
  throw new DrydockError(
    "input.invalid",
    `${value} can't be denied alone: ${key.path} allows it through the wider entry ${wider}.`,
    `Deny the wider entry and allow what you still need: drydock policy deny ${kind} '${wider}'`,
    { key: key.path, value, wider },
  );
}
