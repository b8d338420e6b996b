import * as z from "zod";

export const ChangeKind = z.enum(["added", "changed", "deleted"]);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** One path that a run added, changed or deleted, as results show it. */
export const Change = z.object({
  path: z.string(),
  kind: ChangeKind,
  /** Set on an added file whose content is that of a deleted one. */
  renamedFrom: z.string().optional(),
});
export type Change = z.infer<typeof Change>;

export const EntryType = z.enum(["file", "directory", "symlink"]);
export type EntryType = z.infer<typeof EntryType>;

/**
 * One entry of a layer. `mode` holds the permission bits only. A file's content lies in the
 * content-addressed store under `sha256`; a symlink's target is kept here and never followed.
 * `wasType` is the type below (absent for an added path), so that a delete knows what it deletes.
 */
export const LayerEntry = z.object({
  path: z.string(),
  kind: ChangeKind,
  type: EntryType,
  mode: z.number().int(),
  size: z.number().int().optional(),
  sha256: z.string().optional(),
  target: z.string().optional(),
  wasType: EntryType.optional(),
  /** sha256 (or symlink target) and mode of what lay below when the run ended: what a delivery must still find there. */
  wasSha256: z.string().optional(),
  wasTarget: z.string().optional(),
  wasMode: z.number().int().optional(),
});
export type LayerEntry = z.infer<typeof LayerEntry>;

/** Everything a run changed, relative to the directory it saw. Entries are sorted by path. */
export const Layer = z.object({
  version: z.literal(1),
  workspace: z.string().nullable(),
  baseHash: z.string(),
  treeHash: z.string(),
  entries: z.array(LayerEntry),
  /** Paths of the workspace that somebody else changed while the run used it. */
  changedUnderneath: z.array(z.string()),
  /** Paths that the run wrote outside its write scope or inside a protected one: such a layer can't be delivered. */
  denied: z.array(z.string()),
});
export type Layer = z.infer<typeof Layer>;
