import { type AllowKind, findPolicyKey, type PolicyKey, readPolicyPath } from "../policy-keys.ts";
import { resolvePolicy } from "../resolve-policy.ts";
import { coversCommand } from "../rules/command-rules.ts";
import { coversImport } from "../rules/import-rules.ts";
import { blocksEntry } from "../rules/path-rules.ts";
import { type OpenPolicy, openPolicy, savePolicy, setNode } from "./policy-file.ts";
import { findKindLists, findListPart, readAllowed, readDeniedInFile, writeDenied } from "./policy-lists.ts";

export interface PolicyEdit {
  file: string;
  /** Entries that were written. */
  added: string[];
  /** Entries that the file, or the system policy where the file is silent, allows already. */
  already: string[];
  /** Entries that are allowed and that a list of what is denied still stops. */
  stopped: { entry: string; key: string; by: string }[];
}

/** Whether what is denied stops all of an entry. */
const STOPS: Partial<Record<AllowKind, (denied: string, entry: string) => boolean>> = {
  command: coversCommand,
  write: blocksEntry,
  import: coversImport,
};

/**
 * Adds entries to one of the home policy's lists of what is allowed, and takes them off the list of what is denied. A
 * file that is silent about the list gets the system's list together with the new entries, since a list in a file
 * replaces the system's. Where the file keeps default and max apart, only the max grows.
 */
export async function allowInPolicyFile(path: string, name: string, values: readonly string[]): Promise<PolicyEdit> {
  const { kind, allow: key, deny } = findKindLists(name, values);
  const policy = await openPolicy(path);
  const freed = deny ? takeOffDenied(policy, deny, values) : [];
  const added = new Set(freed);
  const already: string[] = [];
  const entries = readAllowed(policy, key);
  const hasAll = kind === "import" && entries.length === 0;
  let grew = false;
  for (const value of new Set(values)) {
    if (hasAll || key.scale.within([value], entries)) {
      if (!added.has(value)) already.push(value);
    } else {
      entries.push(value);
      added.add(value);
      grew = true;
    }
  }
  if (grew) setNode(policy, [...key.path.split("."), ...findListPart(policy, key)], entries);
  const source = added.size > 0 ? await savePolicy(path, policy) : policy.source;
  const stopping = kind === "write" ? [deny, findPolicyKey("files.hide")] : [deny];
  const stopped = stopping.flatMap((list) => (list ? findStopped(source, kind, list, values) : []));
  return { file: path, added: [...added], already, stopped };
}

/** Returns the entries that the file denied by this very name. */
function takeOffDenied(policy: OpenPolicy, deny: PolicyKey, values: readonly string[]): string[] {
  const denied = readDeniedInFile(policy, deny);
  const freed = denied.filter((entry) => values.includes(entry));
  if (freed.length > 0) {
    writeDenied(
      policy,
      deny,
      denied.filter((entry) => !values.includes(entry)),
    );
  }
  return [...new Set(freed)];
}

function findStopped(
  source: OpenPolicy["source"],
  kind: AllowKind,
  { path }: PolicyKey,
  values: readonly string[],
): PolicyEdit["stopped"] {
  const denied = readPolicyPath(resolvePolicy({ home: source }).effective, path) as readonly string[];
  return [...new Set(values)].flatMap((entry) => {
    const by = denied.find((pattern) => STOPS[kind]?.(pattern, entry));
    return by === undefined ? [] : [{ entry, key: path, by }];
  });
}
