import { hash } from "node:crypto";
import { MAX_MERGE_BYTES, mergeText } from "../../sandbox/index.ts";
import { type DeliveryTarget, hashHandle, type PathInfo } from "./delivery-target.ts";
import { ABSENT, isSameState, type PathState, type PlannedPath } from "./path-state.ts";

export interface Conflict {
  path: string;
  reason: string;
}

/** One path that is going to change. `content` is set where it is neither in the store nor in the workspace: merged text. */
export interface PlannedChange {
  path: string;
  before: PathInfo;
  after: PathState;
  content?: Buffer;
  owner?: PlannedPath["owner"];
}

export interface DeliveryPlan {
  changes: PlannedChange[];
  conflicts: Conflict[];
  /** Paths whose content is the user's and the run's together. */
  merged: string[];
}

export interface MergeSources {
  /** Content that a change was made from, or null where it was not kept. */
  readBase(sha256: string): Promise<Buffer | null>;
  readWanted(sha256: string): Promise<Buffer>;
}

type PathDecision =
  | { kind: "nothing" }
  | { kind: "change"; after: PathState; content?: Buffer }
  | { kind: "conflict"; reason: string };

const NOTHING: PathDecision = { kind: "nothing" };

/** Compares what stands in the workspace with what each change was made from. Nothing is written. */
export async function planDelivery(
  target: DeliveryTarget,
  wants: readonly PlannedPath[],
  sources: MergeSources,
  signal?: AbortSignal,
): Promise<DeliveryPlan> {
  const plan: DeliveryPlan = { changes: [], conflicts: [], merged: [] };
  const planned = new Map<string, PlannedChange>();
  const directories = new Set(wants.filter(({ after }) => after.type === "directory").map(({ path }) => path));
  for (const want of wants) {
    signal?.throwIfAborted();
    const before = await target.look(want.path);
    // Below a file that becomes a directory there is nothing yet.
    const isBelowNew = before.state.type === "blocked" && directories.has(parentOf(want.path));
    const look = isBelowNew ? { ...before, state: ABSENT } : before;
    const decision = await decide(target, want, look.state, sources);
    if (decision.kind === "conflict") plan.conflicts.push({ path: want.path, reason: decision.reason });
    if (decision.kind !== "change") continue;
    if (decision.content !== undefined) plan.merged.push(want.path);
    const { after, content } = decision;
    planned.set(want.path, { path: want.path, before: look, after, content, owner: want.owner });
  }
  await keepInhabited(target, planned, plan.conflicts);
  await refuseHomeless(target, planned, plan.conflicts);
  plan.changes = [...planned.values()];
  return plan;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

async function decide(
  target: DeliveryTarget,
  { path, before: was, after: want }: PlannedPath,
  now: PathState,
  sources: MergeSources,
): Promise<PathDecision> {
  if (isSameState(now, want)) return NOTHING;
  if (was.type === "file" && was.sha256 === null) return conflict("could not be read when the run began");
  if (want.type === "file" && want.sha256 === null) return conflict("has content that was not kept");
  if (now.type === "blocked") return conflict("lies below something that is not a directory now");
  if (now.type === "other") return conflict("is not a file, directory or symbolic link now");
  if (isSameState(now, was)) return { kind: "change", after: want };
  if (want.type === "absent")
    return now.type === "directory" && was.type === "directory" ? change(ABSENT) : changed(now);
  if (want.type === "directory" && now.type === "directory") {
    if (was.type !== "directory") return NOTHING; // both made it
    const mode = mergeMode(was.mode, now.mode, want.mode);
    return mode === null
      ? conflict("has other permissions now")
      : mode === now.mode
        ? NOTHING
        : change({ ...want, mode });
  }
  if (want.type === "file" && now.type === "file" && was.type === "file") {
    return mergeFiles(target, path, was, now, want, sources);
  }
  return was.type === "absent" ? conflict("was created meanwhile") : changed(now);
}

type FileState = Extract<PathState, { type: "file" }>;

async function mergeFiles(
  target: DeliveryTarget,
  path: string,
  was: FileState,
  now: FileState,
  want: FileState,
  { readBase, readWanted }: MergeSources,
): Promise<PathDecision> {
  const mode = mergeMode(was.mode, now.mode, want.mode);
  if (mode === null) return conflict("has other permissions now");
  if (now.sha256 === null || want.sha256 === null || was.sha256 === null) return conflict("can't be read");
  const settle = (sha256: string): PathDecision =>
    sha256 === now.sha256 && mode === now.mode ? NOTHING : change({ type: "file", mode, sha256 });
  if (now.sha256 === want.sha256 || want.sha256 === was.sha256) return settle(now.sha256);
  if (now.sha256 === was.sha256) return settle(want.sha256);
  const base = await readBase(was.sha256);
  if (!base) return conflict("was changed meanwhile, and what it was before is not kept");
  const mine = await readMine(target, path, now.sha256);
  const content = mine && (await mergeText(base, mine, await readWanted(want.sha256)));
  if (!content) return conflict("was changed meanwhile, in the same places or not as text");
  return { kind: "change", after: { type: "file", mode, sha256: hash("sha256", content) }, content };
}

/** The user's text; null where it is too large to be merged, or has changed since it was looked at. */
async function readMine(target: DeliveryTarget, path: string, sha256: string): Promise<Buffer | null> {
  const handle = await target.openFile(path);
  try {
    if ((await handle.stat()).size > MAX_MERGE_BYTES) return null;
    const parts: Buffer[] = [];
    const read = await hashHandle(handle, async (bytes) => {
      parts.push(Buffer.from(bytes));
    });
    return read === sha256 ? Buffer.concat(parts) : null;
  } finally {
    await handle.close();
  }
}

/** The side that changed them decides; null if both changed them in different ways. */
function mergeMode(was: number, now: number, want: number): number | null {
  if (now === was) return want;
  return want === was || want === now ? now : null;
}

function change(after: PathState): PathDecision {
  return { kind: "change", after };
}

function conflict(reason: string): PathDecision {
  return { kind: "conflict", reason };
}

function changed(now: PathState): PathDecision {
  return conflict(now.type === "absent" ? "was deleted meanwhile" : "was changed meanwhile");
}

/** A directory in which something stays is not removed: the run did not know of what is there. */
async function keepInhabited(
  target: DeliveryTarget,
  planned: Map<string, PlannedChange>,
  conflicts: Conflict[],
): Promise<void> {
  for (const { path, before, after } of [...planned.values()].reverse()) {
    if (before.state.type !== "directory" || after.type === "directory") continue;
    const names = (await target.list(path)) ?? [];
    const stays = names.find((name) => planned.get(`${path}/${name}`)?.after.type !== "absent");
    if (stays === undefined) continue;
    planned.delete(path);
    if (after.type !== "absent") conflicts.push({ path, reason: `is a directory that holds ${stays} now` });
  }
}

async function refuseHomeless(
  target: DeliveryTarget,
  planned: Map<string, PlannedChange>,
  conflicts: Conflict[],
): Promise<void> {
  const known = new Map<string, boolean>();
  for (const { path, after } of planned.values()) {
    const parent = parentOf(path);
    if (after.type === "absent" || parent === "" || planned.get(parent)?.after.type === "directory") continue;
    if (!known.has(parent)) known.set(parent, (await target.look(parent)).state.type === "directory");
    if (!known.get(parent)) conflicts.push({ path, reason: "has no directory to lie in any more" });
  }
}
