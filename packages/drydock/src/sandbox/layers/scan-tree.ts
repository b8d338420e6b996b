import type { DirectoryState } from "./directory-state.ts";
import type { ReadAhead, ReadFiles } from "./read-ahead.ts";
import { type ScanContext, scanDirectory } from "./scan-directory.ts";

export interface TreeScan {
  /** Whether to go on in directories that were known before. */
  deep: boolean;
  /** Whether nothing is known of most files, here or from an earlier process: then threads help to read them. */
  isFirst: boolean;
  /** Called when a directory is about to be looked at: whatever changes in it from now on must be noticed. */
  begin(state: DirectoryState): void;
}

/** So many files are read by one thread before it gets help: a thread costs about as much. */
const HELP_AFTER = 1000;
const LIST_LENGTH = 8;

/** Scans the directories and those below them; the hashes of large files may still be under way. */
export async function scanTree(starts: DirectoryState[], context: ScanContext, scan: TreeScan): Promise<void> {
  const queue = starts;
  let ahead: ReadAhead | undefined;

  const look = async (state: DirectoryState, read?: ReadFiles) => {
    const fresh = await scanDirectory(state, context, read);
    for (const child of scan.deep ? state.children.values() : fresh) queue.push(child);
  };

  const giveAway = async () => {
    if (!ahead) {
      const { createReadAhead } = await import("./read-ahead.ts");
      ahead = createReadAhead(context.root);
    }
    while (ahead.hasRoom && queue.length > LIST_LENGTH) {
      // The queue is taken from its end: what stands first is looked at last.
      const states = queue.splice(0, LIST_LENGTH).filter(({ detached }) => !detached);
      for (const state of states) {
        scan.begin(state);
        if (!state.isForeign) context.watch(state);
      }
      ahead.give(states);
    }
  };

  try {
    while (true) {
      for (const { state, files } of ahead?.take() ?? []) if (!state.detached) await look(state, files);
      const next = queue.pop();
      if (next && !next.detached) {
        scan.begin(next);
        await look(next);
      }
      if (scan.isFirst && context.progress.hashed >= HELP_AFTER && queue.length > LIST_LENGTH) await giveAway();
      if (next) continue;
      if (!ahead || ahead.pending === 0) break;
      await ahead.wait();
      context.signal?.throwIfAborted();
    }
  } finally {
    ahead?.close();
  }
}
