import { type LayerEntry, LayerEntry as LayerEntrySchema } from "@drydock/protocol";
import * as z from "zod";

const Mode = LayerEntrySchema.shape.mode;

/** What stands at a path, as far as a layer can say it. A file without `sha256` is one that could not be read. */
export const PathState = z.discriminatedUnion("type", [
  z.object({ type: z.literal("absent") }),
  z.object({ type: z.literal("file"), mode: Mode, sha256: z.string().nullable() }),
  z.object({ type: z.literal("directory"), mode: Mode }),
  z.object({ type: z.literal("symlink"), target: z.string() }),
  /** A pipe, a socket, a device; or below something that is no directory, a symlink included. */
  z.object({ type: z.literal("other") }),
  z.object({ type: z.literal("blocked") }),
]);
export type PathState = z.infer<typeof PathState>;

export const ABSENT: PathState = { type: "absent" };

/** One path that is to change: what was there when the change was made, and what shall be there. */
export interface PlannedPath {
  path: string;
  before: PathState;
  after: PathState;
  /** Whom it shall belong to, where that is known. */
  owner?: { uid: number; gid: number };
}

export function toPlannedPath(entry: LayerEntry): PlannedPath {
  return { path: entry.path, before: describeBefore(entry), after: describeAfter(entry) };
}

export function isSameState(left: PathState, right: PathState): boolean {
  switch (left.type) {
    case "file":
      return right.type === "file" && left.sha256 !== null && left.sha256 === right.sha256 && left.mode === right.mode;
    case "directory":
      return right.type === "directory" && left.mode === right.mode;
    case "symlink":
      return right.type === "symlink" && left.target === right.target;
    case "absent":
      return right.type === "absent";
    case "other":
    case "blocked":
      return false;
    default:
      return left satisfies never;
  }
}

/** A directory takes the place of something else, or gives it up: no single step of the kernel's does that. */
export function changesToOrFromDirectory(before: PathState, after: PathState): boolean {
  return (before.type === "directory") !== (after.type === "directory");
}

function describeAfter({ kind, type, mode, sha256, target }: LayerEntry): PathState {
  if (kind === "deleted") return ABSENT;
  if (type === "directory") return { type, mode };
  return type === "symlink" ? { type, target: target ?? "" } : { type, mode, sha256: sha256 ?? null };
}

function describeBefore({ wasType, wasMode = 0, wasSha256, wasTarget }: LayerEntry): PathState {
  if (wasType === undefined) return ABSENT;
  if (wasType === "directory") return { type: wasType, mode: wasMode };
  if (wasType === "symlink") return { type: wasType, target: wasTarget ?? "" };
  return { type: wasType, mode: wasMode, sha256: wasSha256 ?? null };
}
