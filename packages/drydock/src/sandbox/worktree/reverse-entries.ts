import type { LayerEntry } from "@drydock/protocol";
import type { FindContent } from "./merge-entries.ts";

/**
 * The changes that lead back: what was added goes, what was deleted returns, what was changed is as it was. `lost` are the
 * files whose former content is nowhere any more.
 */
export async function reverseEntries(
  entries: readonly LayerEntry[],
  find: FindContent,
): Promise<{ entries: LayerEntry[]; lost: string[] }> {
  const reversed: LayerEntry[] = [];
  const lost: string[] = [];
  for (const { path, kind, type, mode, sha256, target, wasType, wasMode = 0o644, wasSha256, wasTarget } of entries) {
    const now = { wasType: type, wasMode: mode, wasSha256: sha256, wasTarget: target };
    if (kind === "added") {
      reversed.push({ path, kind: "deleted", type, mode, ...now });
      continue;
    }
    const content = wasType === "file" ? await find(wasSha256 ?? "", path) : null;
    if (wasType === "file" && !content) lost.push(path);
    const then = { type: wasType ?? type, mode: wasMode, size: content?.length, sha256: wasSha256, target: wasTarget };
    reversed.push(kind === "deleted" ? { path, kind: "added", ...then } : { path, kind: "changed", ...then, ...now });
  }
  return { entries: reversed, lost };
}
