import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { errnoOf } from "./delivery-target.ts";
import { PathState } from "./path-state.ts";
import { ReducedMode } from "./traps/limit-modes.ts";

/*
 * A delivery on disk:
 *
 *   preparing ──► prepared ──► done          what is new lies beside its place, what it replaces is kept: from here on
 *       │             │                      a crash is completed
 *       │             └──► undoing ──► (gone)  something stood in the way: what is kept is put back
 *       └──► (gone)                          a crash is undone: nothing but temporary files was made
 *
 * `preparing` names every temporary file before the first is made. `done` stays for as long as it may be reverted.
 */

const Owner = z.object({ uid: z.number().int(), gid: z.number().int() });

const JournalItem = z.object({
  path: z.string(),
  before: PathState,
  after: PathState,
  /** Whom that which was there belonged to. */
  beforeOwner: Owner.nullable(),
  /** Whom that which comes shall belong to. */
  afterOwner: Owner,
  /** Where it waits, relative to the workspace: in a directory that is there before and after. */
  temporary: z.string().nullable(),
});
export type JournalItem = z.infer<typeof JournalItem>;

const JournalState = z.enum(["preparing", "prepared", "undoing", "done"]);

export const DeliveryJournal = z.object({
  version: z.literal(1),
  kind: z.enum(["apply", "revert"]),
  state: JournalState,
  workspace: z.string(),
  items: z.array(JournalItem),
  merged: z.array(z.string()),
  /** Paths that somebody changed between a crash and its recovery, and that stayed as they were left. */
  left: z.array(z.string()),
  reduced: z.array(ReducedMode).optional(),
  /** Files that run by themselves, and that a person has agreed to. */
  autorun: z.array(z.string()).optional(),
  /** How many new files were left out because git ignores them. */
  ignored: z.number().int().optional(),
});
export type DeliveryJournal = z.infer<typeof DeliveryJournal>;

const JOURNAL_NAME = "journal.json";

export async function readJournal(directory: string): Promise<DeliveryJournal | null> {
  try {
    return DeliveryJournal.parse(JSON.parse(await readFile(join(directory, JOURNAL_NAME), "utf8")));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return null;
    throw error;
  }
}

export function writeJournal(directory: string, journal: DeliveryJournal): Promise<void> {
  return writeDurably(join(directory, JOURNAL_NAME), JSON.stringify(journal));
}

/** Where the content is kept that a delivery replaces. */
export function keptPath(directory: string, sha256: string): string {
  return join(directory, "kept", sha256);
}

export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Wholly there or not at all, and on disk when this returns. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
  await syncPath(dirname(path));
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await syncPath(dirname(path)).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
  });
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}
