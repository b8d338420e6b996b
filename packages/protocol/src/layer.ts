import * as z from "zod";

export const ChangeKind = z.enum(["added", "changed", "deleted"]);
export type ChangeKind = z.infer<typeof ChangeKind>;

/**
 * One path that a run added, changed or deleted, as results show it. Paths are relative and separated by "/"; a byte of
 * a name that is no UTF-8 stands as one lone surrogate U+DC80..U+DCFF, as in Python.
 */
export const Change = z.object({
  path: z.string().describe("Path relative to the workspace, with `/` as the separator."),
  kind: ChangeKind.describe("What happened to the path."),
  renamedFrom: z
    .string()
    .optional()
    .describe("Earlier path, where an added file has the content of a deleted one. The deleted one is listed as well."),
});
export type Change = z.infer<typeof Change>;

export const EntryType = z.enum(["file", "directory", "symlink"]);
export type EntryType = z.infer<typeof EntryType>;

/**
 * One entry of a layer. `mode` holds the permission bits only. A file's content lies in the
 * content-addressed store under `sha256`; a symlink's target is kept here and never followed.
 * `wasType` is the type below (absent for an added path), so that a delete knows what it deletes. There is one entry
 * per path: one that became another type is `changed` with a different `wasType`. A deleted entry describes what was.
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
  /**
   * sha256 (or symlink target) and mode of what lay below: what a delivery must still find there. A file below without
   * `wasSha256` is one that could not be read.
   */
  wasSha256: z.string().optional(),
  wasTarget: z.string().optional(),
  wasMode: z.number().int().optional(),
});
export type LayerEntry = z.infer<typeof LayerEntry>;

/** Everything a run changed, relative to the directory it saw. Entries are in byte order of their paths. */
export const Layer = z.object({
  version: z.literal(1),
  workspace: z.string().nullable(),
  baseHash: z.string(),
  treeHash: z.string(),
  entries: z.array(LayerEntry),
  /** Paths of the workspace that somebody else changed while the run used it. */
  changedUnderneath: z.array(z.string()),
  /**
   * Paths that the run changed outside its write scope, or that are protected, hidden or no file, directory or symlink:
   * a layer with any of them can't be delivered.
   */
  denied: z.array(z.string()),
});
export type Layer = z.infer<typeof Layer>;

/**
 * A layer as a long run keeps it: `entries` are those that the layer `onto` (by the hash of its own record) does not
 * have like this, `without` the paths of `onto` that are no change any more. Everything else is the layer's own. Its
 * version differs, so that it is never read as a whole layer.
 */
export const LayerDelta = Layer.extend({ version: z.literal(2), onto: z.string(), without: z.array(z.string()) });
export type LayerDelta = z.infer<typeof LayerDelta>;

/** A file of a layer that some program runs by itself once it is delivered, and who runs it when. */
export const AutorunFile = z.object({ path: z.string(), reason: z.string() });
export type AutorunFile = z.infer<typeof AutorunFile>;
