import type { LayerEntry } from "@drydock/protocol";
import * as z from "zod";
import { parentOf } from "../plan-delivery.ts";
import type { TreeView } from "./tree-view.ts";

/** Permissions that were delivered narrower than the run left them. */
export const ReducedMode = z.object({ path: z.string(), from: z.number().int(), to: z.number().int() });
export type ReducedMode = z.infer<typeof ReducedMode>;

const WRITE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const SET_GROUP_ID = 0o2000;
const SPECIAL = 0o7000;

/**
 * A delivered file is writable only for users who can write to its directory. Wider permission bits are removed, not
 * refused: git does not record them, so the commit is the same. Bits that the user had set stay.
 */
export async function limitModes(
  base: TreeView,
  entries: readonly LayerEntry[],
): Promise<{ entries: LayerEntry[]; reduced: ReducedMode[] }> {
  const reduced: ReducedMode[] = [];
  const modes = new Map<string, number>();
  const modeOf = async (directory: string): Promise<number> => {
    const known = modes.get(directory);
    if (known !== undefined) return known;
    const node = await base.peek(directory);
    const mode = node.type === "directory" ? node.mode : 0;
    modes.set(directory, mode);
    return mode;
  };
  const limited: LayerEntry[] = [];
  // A directory comes before what it holds.
  for (const entry of entries) {
    const { path, kind, type, mode, wasType, wasMode = 0 } = entry;
    if (kind === "deleted" || type === "symlink") {
      limited.push(entry);
      continue;
    }
    const had = wasType === type ? wasMode : 0;
    const allowed = had | allowedIn(await modeOf(parentOf(path)), type);
    const to = mode & ~((WRITE_BY_OTHERS | SPECIAL) & ~allowed);
    if (to !== mode) reduced.push({ path, from: mode, to });
    if (type === "directory") modes.set(path, to);
    limited.push(to === mode ? entry : { ...entry, mode: to });
  }
  return { entries: limited, reduced };
}

/** In a sticky directory (such as /tmp) others may add files, but not touch those of somebody else. */
function allowedIn(parentMode: number, type: LayerEntry["type"]): number {
  const write = parentMode & STICKY ? 0 : parentMode & WRITE_BY_OTHERS;
  // New directories inherit set-group-ID from the one around them.
  return type === "directory" ? write | (parentMode & SET_GROUP_ID) : write;
}
