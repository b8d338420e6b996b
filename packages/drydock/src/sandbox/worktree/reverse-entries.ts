import type { LayerEntry } from "@drydock/protocol";

/** The changes that lead back: what was added goes, what was deleted returns, what was changed is as it was. */
export function reverseEntries(entries: readonly LayerEntry[]): LayerEntry[] {
  return entries.map((entry) => {
    const { path, kind, type, mode, sha256, target, wasType, wasMode = 0o644, wasSha256, wasTarget } = entry;
    const now = { wasType: type, wasMode: mode, wasSha256: sha256, wasTarget: target };
    const then = { type: wasType ?? type, mode: wasMode, sha256: wasSha256, target: wasTarget };
    if (kind === "added") return { path, kind: "deleted", type, mode, ...now };
    if (kind === "deleted") return { path, kind: "added", ...then };
    return { path, kind: "changed", ...then, ...now };
  });
}
