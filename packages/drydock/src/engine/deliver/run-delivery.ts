import { randomBytes } from "node:crypto";
import type { Change } from "@drydock/protocol";
import { applyJournal, Disturbed, type StepListener } from "./apply-journal.ts";
import type { DeliveryTarget } from "./delivery-target.ts";
import {
  type DeliveryJournal,
  type JournalItem,
  keptPath,
  makePrivateDirectory,
  removeDurably,
  writeJournal,
} from "./journal.ts";
import { type Conflict, type DeliveryPlan, type PlannedChange, parentOf } from "./plan-delivery.ts";
import {
  allotPlaces,
  type ContentSource,
  keepMerged,
  keepReplaced,
  removeTemporaries,
  stageItem,
} from "./stage-delivery.ts";

export interface RunDeliveryOptions {
  target: DeliveryTarget;
  /** Where this delivery's journal and what it replaces are kept. */
  directory: string;
  kind: DeliveryJournal["kind"];
  plan: DeliveryPlan;
  /** What its record says beside the changes. */
  marks?: Pick<DeliveryJournal, "reduced" | "autorun" | "ignored">;
  /** Where the content of that hash lies. */
  contentPath(sha256: string): Promise<string>;
  signal?: AbortSignal;
  onStep?: StepListener;
}

export type DeliveryResult = { kind: "done"; journal: DeliveryJournal } | { kind: "conflict"; files: Conflict[] };

/** Carries a plan out, wholly or not at all. What a crash leaves of it is `recoverDelivery`'s. */
export async function runDelivery(work: RunDeliveryOptions): Promise<DeliveryResult> {
  const { target, directory, plan, onStep } = work;
  const items = await allotPlaces(target, plan.changes, randomBytes(6).toString("hex"));
  const { workspace } = target;
  const journal: DeliveryJournal = {
    version: 1,
    kind: work.kind,
    state: "preparing",
    workspace,
    items,
    merged: plan.merged,
    left: [],
    ...work.marks,
  };
  try {
    await makePrivateDirectory(directory);
    await writeJournal(directory, journal);
    onStep?.("preparing");
    const changed = await prepare(work, items);
    work.signal?.throwIfAborted();
    if (changed.length > 0) {
      await forget(target, directory, items);
      return { kind: "conflict", files: changed };
    }
    journal.state = "prepared";
    await writeJournal(directory, journal);
  } catch (error) {
    // Where even that fails, the journal still says `preparing`, and the next command goes on with it.
    await forget(target, directory, items).catch(() => {});
    throw error;
  }
  onStep?.("prepared");
  try {
    const stamps = new Map(plan.changes.map(({ path, before }) => [path, before.stamp]));
    await applyJournal({ target, items, stamps, onDisturbed: "stop", onStep });
  } catch (error) {
    await undoDelivery(target, directory, journal, onStep);
    if (!(error instanceof Disturbed)) throw error;
    return { kind: "conflict", files: [{ path: error.path, reason: "was changed while it was being delivered" }] };
  }
  return { kind: "done", journal: await markDone(directory, journal, [], onStep) };
}

export async function markDone(
  directory: string,
  journal: DeliveryJournal,
  left: string[],
  onStep?: StepListener,
): Promise<DeliveryJournal> {
  const done: DeliveryJournal = { ...journal, state: "done", left };
  await writeJournal(directory, done);
  onStep?.("done");
  return done;
}

/** Puts back what has been replaced, from what is kept. It may be ended at any moment and begun again. */
export async function undoDelivery(
  target: DeliveryTarget,
  directory: string,
  journal: DeliveryJournal,
  onStep?: StepListener,
): Promise<void> {
  if (journal.state !== "undoing") await writeJournal(directory, { ...journal, state: "undoing" });
  await removeTemporaries(target, journal.items);
  const items = journal.items.map(reverseItem);
  const supply = async (item: JournalItem) => {
    const path = item.after.type === "file" && item.after.sha256 ? keptPath(directory, item.after.sha256) : "";
    await stageItem(target, item, { path });
  };
  await applyJournal({ target, items, supply, onDisturbed: "leave", onStep });
  await forget(target, directory, items);
  onStep?.("undone");
}

/** Leaves no trace of a delivery that has changed nothing, or nothing any more. */
export async function forget(target: DeliveryTarget, directory: string, items: readonly JournalItem[]): Promise<void> {
  await removeTemporaries(target, items);
  await removeDurably(directory);
}

/** What was done, as the short list that people read. */
export function listChanges({ items }: DeliveryJournal): Change[] {
  const parents = new Set(items.map(({ path }) => parentOf(path)));
  return items.flatMap(({ path, before, after }): Change[] => {
    const isWay = (before.type === "directory" || after.type === "directory") && parents.has(path);
    if (before.type === "absent") return after.type === "directory" && isWay ? [] : [{ path, kind: "added" }];
    if (after.type === "absent") return before.type === "directory" && isWay ? [] : [{ path, kind: "deleted" }];
    return [{ path, kind: "changed" }];
  });
}

function reverseItem(item: JournalItem): JournalItem {
  return { ...item, before: item.after, after: item.before, afterOwner: item.beforeOwner ?? item.afterOwner };
}

/** The conflicts are files that have changed since the plan was made. */
async function prepare(work: RunDeliveryOptions, items: readonly JournalItem[]): Promise<Conflict[]> {
  const { target, directory, plan, signal, onStep } = work;
  const changed: Conflict[] = [];
  for (const [index, item] of items.entries()) {
    signal?.throwIfAborted();
    const change = plan.changes[index];
    if (!change) continue;
    if (!(await keepReplaced(target, directory, item.path, item.before))) {
      changed.push({ path: item.path, reason: "was changed while it was being delivered" });
      continue;
    }
    if (item.after.type !== "file" && item.after.type !== "symlink") continue;
    if (change.content && item.after.type === "file" && item.after.sha256) {
      await keepMerged(directory, item.after.sha256, change.content);
    }
    await stageItem(target, item, await sourceOf(work, change));
    onStep?.(`staged ${item.path}`);
  }
  const parents = new Set(items.flatMap(({ temporary }) => (temporary === null ? [] : [parentOf(temporary)])));
  for (const parent of parents) await target.syncDirectory(parent);
  return changed;
}

async function sourceOf(
  { contentPath }: RunDeliveryOptions,
  { path, before, after, content }: PlannedChange,
): Promise<ContentSource> {
  if (content) return { bytes: content };
  if (after.type !== "file" || after.sha256 === null) return { path: "" };
  // Only its permissions change.
  const { state } = before;
  if (state.type === "file" && state.sha256 === after.sha256) return { workspacePath: path };
  return { path: await contentPath(after.sha256) };
}
