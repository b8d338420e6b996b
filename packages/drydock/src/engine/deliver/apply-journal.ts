import { lstat, mkdir, rename, rmdir, unlink } from "node:fs/promises";
import { type DeliveryTarget, errnoOf } from "./delivery-target.ts";
import type { JournalItem } from "./journal.ts";
import { changesToOrFromDirectory, isSameState, type PathState } from "./path-state.ts";
import { parentOf } from "./plan-delivery.ts";

/** Something else stands there or above, or nothing does where a directory should. */
const WAY_BLOCKED = new Set(["EEXIST", "ENOENT", "ENOTDIR", "EISDIR", "ELOOP"]);

/** Called after each step that changed something on disk: a test ends the process there. */
export type StepListener = (step: string) => void;

export interface ApplyJournalOptions {
  target: DeliveryTarget;
  /** In byte order of their paths: a directory before what it holds. */
  items: readonly JournalItem[];
  /** What each path was when it was last looked at, so that it need not be read again. */
  stamps?: ReadonlyMap<string, string>;
  /** Makes what is new right before it is needed; without it, it waits already, and what waits no more is in place. */
  supply?: (item: JournalItem) => Promise<void>;
  /** What to do about a path that somebody else has changed: leave all as it is, or leave only that. */
  onDisturbed: "stop" | "leave";
  onStep?: StepListener;
}

/** Somebody changed a path while it was being delivered. */
export class Disturbed extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} was changed meanwhile`);
    this.path = path;
  }
}

/**
 * Turns each item's `before` into its `after`. It may be ended at any moment and begun again: each step looks first at
 * what is there. Returns the paths that were left as somebody else made them.
 */
export async function applyJournal(options: ApplyJournalOptions): Promise<string[]> {
  const { target, items } = options;
  const left: string[] = [];
  const backwards = items.toReversed();
  for (const item of items) await openUp(target, item);
  for (const item of backwards) await clearPlace(options, item, left);
  for (const item of items) await makeDirectory(options, item, left);
  for (const item of items) await putInPlace(options, item, left);
  for (const item of backwards) await settleMode(options, item);
  const touched = new Set(
    items.flatMap(({ path, after }) => (after.type === "directory" ? [path, parentOf(path)] : [parentOf(path)])),
  );
  for (const directory of touched) await target.syncDirectory(directory);
  return left;
}

/** The owner can't work in a directory that is closed to himself; its final permissions come at the end. */
async function openUp(target: DeliveryTarget, { path, before }: JournalItem): Promise<void> {
  if (before.type !== "directory" || (before.mode & 0o700) === 0o700) return;
  const { state } = await target.look(path);
  if (state.type === "directory" && (state.mode & 0o700) !== 0o700) {
    await target.setMode(path, state.mode | 0o700);
  }
}

async function clearPlace(options: ApplyJournalOptions, item: JournalItem, left: string[]): Promise<void> {
  const { target, onStep } = options;
  const { path, before, after } = item;
  if (before.type === "absent" || (after.type !== "absent" && !changesToOrFromDirectory(before, after))) return;
  if (before.type === "directory") {
    if ((await target.look(path)).state.type !== "directory") return;
    if (!(await removeDirectory(target, path))) {
      // What somebody has put into it keeps it; that matters only where something else is to take its place.
      if (after.type !== "absent") disturbed(options, item, left);
      return;
    }
  } else {
    const now = await lookAgain(options, path);
    if (now !== "unchanged") {
      if (now.type === "absent" || now.type === "blocked" || now.type === after.type) return;
      if (!isSameState(now, before)) return disturbed(options, item, left);
    }
    await target.at(path, unlink);
  }
  onStep?.(`removed ${path}`);
}

async function makeDirectory(options: ApplyJournalOptions, item: JournalItem, left: string[]): Promise<void> {
  const { target, onStep } = options;
  const { path, before, after, afterOwner } = item;
  if (after.type !== "directory" || before.type === "directory") return;
  try {
    await target.at(path, (address) => mkdir(address, 0o700));
  } catch (error) {
    if (!WAY_BLOCKED.has(errnoOf(error))) throw error;
    if ((await target.look(path)).state.type !== "directory") disturbed(options, item, left);
    return;
  }
  await target.setOwner(path, afterOwner);
  onStep?.(`made ${path}`);
}

async function putInPlace(options: ApplyJournalOptions, item: JournalItem, left: string[]): Promise<void> {
  const { target, supply, onStep } = options;
  const { path, before, after, temporary } = item;
  if (temporary === null || (after.type !== "file" && after.type !== "symlink")) return;
  if (!supply && !(await isThere(target, temporary))) return;
  const now = await lookAgain(options, path);
  if (now !== "unchanged" && !isSameState(now, before)) {
    if (supply && isSameState(now, after)) return;
    const cleared = now.type === "absent" && (supply !== undefined || changesToOrFromDirectory(before, after));
    if (!cleared) return disturbed(options, item, left);
  }
  await supply?.(item);
  try {
    await target.at(temporary, (from) => target.at(path, (to) => rename(from, to)));
  } catch (error) {
    if (!WAY_BLOCKED.has(errnoOf(error))) throw error;
    return disturbed(options, item, left);
  }
  onStep?.(`placed ${path}`);
}

async function settleMode(
  { target, onStep }: ApplyJournalOptions,
  { path, after, afterOwner, before }: JournalItem,
): Promise<void> {
  if (after.type !== "directory") return;
  const { state, owner } = await target.look(path);
  if (state.type !== "directory") return;
  const isNew = before.type !== "directory";
  if (isNew && (owner?.uid !== afterOwner.uid || owner.gid !== afterOwner.gid)) await target.setOwner(path, afterOwner);
  if (state.mode === after.mode) return;
  await target.setMode(path, after.mode);
  onStep?.(`set mode of ${path}`);
}

async function lookAgain({ target, stamps }: ApplyJournalOptions, path: string): Promise<PathState | "unchanged"> {
  const stamp = stamps?.get(path);
  if (stamp !== undefined && stamp !== "" && (await target.stamp(path)) === stamp) return "unchanged";
  return (await target.look(path)).state;
}

function disturbed({ onDisturbed }: ApplyJournalOptions, { path }: JournalItem, left: string[]): void {
  if (onDisturbed === "stop") throw new Disturbed(path);
  left.push(path);
}

/** False: something is in it that is not ours to remove. */
async function removeDirectory(target: DeliveryTarget, path: string): Promise<boolean> {
  try {
    await target.at(path, rmdir);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(errnoOf(error))) return false;
    throw error;
  }
}

async function isThere(target: DeliveryTarget, path: string): Promise<boolean> {
  try {
    await target.at(path, lstat);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error))) return false;
    throw error;
  }
}
