import { POLICY_KEYS, readPolicyPath } from "./policy-keys.ts";
import type { PolicyOrigin, ResolvedPolicy } from "./resolve-policy.ts";
import type { PolicyValue } from "./scales.ts";

export interface PolicyRow {
  key: string;
  value: PolicyValue;
  ceiling: PolicyValue;
  source: PolicyOrigin["source"];
  /** `file:line`, or empty for a source that is no file. */
  where: string;
  /** For a list whose entries come from several sources: each with its own. */
  entries?: { value: string; source: PolicyOrigin["source"]; where: string }[];
}

/** Each value of a resolved policy with its ceiling and the source that set it, in the order of the documentation. */
export function explainPolicy(resolved: ResolvedPolicy): PolicyRow[] {
  return POLICY_KEYS.map(({ path }) => {
    const origin = resolved.origins[path] ?? { source: "system" };
    return {
      key: path,
      value: readPolicyPath(resolved.effective, path) as PolicyValue,
      ceiling: readPolicyPath(resolved.ceiling, path) as PolicyValue,
      source: origin.source,
      where: placeOf(origin),
      ...(path === "checks.required" && resolved.required.length > 0 && { entries: listEntries(resolved) }),
    };
  });
}

function listEntries({ required }: ResolvedPolicy): PolicyRow["entries"] {
  return required.map(({ entry, origin }) => ({ value: entry, source: origin.source, where: placeOf(origin) }));
}

function placeOf({ file, line }: PolicyOrigin): string {
  return file === undefined ? "" : `${file}:${line ?? 1}`;
}
