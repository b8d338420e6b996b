import { appendHead } from "../chain/append-head.ts";
import type { ContentStore } from "../content/content-store.ts";
import { removeUnreferenced } from "../content/references.ts";
import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { openKeys } from "../signing/open-keys.ts";
import { type HeadSignature, signHeadWithin } from "../signing/sign-head.ts";
import { type CarriedRun, type Checkpoint, decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
import { findRequiredRuns } from "./find-required-runs.ts";

export interface CutReport {
  removedRuns: number;
  removedEvents: number;
  /** The ids of the runs that were removed, or would be. */
  removed: string[];
  /** Where the chain begins now; null where there was nothing to cut. */
  checkpoint: Checkpoint | null;
  /** The new end of the chain, signed: what to keep elsewhere in the place of older heads. */
  signedHead: HeadSignature | null;
}

export interface CutOptions {
  before: Date;
  /** The artifacts of removed runs stay in the store, and can be read by their ids. */
  keepArtifacts?: boolean;
  /** Says what would be removed, and removes nothing. */
  dryRun?: boolean;
  /** How many runs are removed in one transaction. */
  runsAtOnce?: number;
}

/**
 * Retention: removes the runs that ended before a time, and the entries of the ledger's chain up to the last one of
 * that time. A run that is still under way, that such a run needs, or that something was recorded about later, stays;
 * the checkpoint carries it. Files are removed after the rows are gone for good: a crash in between leaves unused
 * files, which the next expiry removes.
 */
export async function cutLedger(context: LedgerContext, store: ContentStore, options: CutOptions): Promise<CutReport> {
  const { runsAtOnce = RUNS_AT_ONCE, ...rest } = options;
  const report: CutReport = { ...NOTHING, removed: [] };
  const last = options.before.toISOString();
  for (let before = ""; before !== last; ) {
    before = options.dryRun ? last : await findStep(context, before, last, runsAtOnce);
    const cut = await cutBefore(context, store, { ...rest, before });
    report.removedRuns += cut.removedRuns;
    report.removedEvents += cut.removedEvents;
    report.removed.push(...cut.removed);
    report.checkpoint = cut.checkpoint ?? report.checkpoint;
    report.signedHead = cut.signedHead ?? report.signedHead;
  }
  return report;
}

/** The time before which the next so many runs ended, after `from`: others write between two steps. */
async function findStep(context: LedgerContext, from: string, last: string, count: number): Promise<string> {
  const row = await read(context, (db) =>
    db
      .selectFrom("runs")
      .select("ended_at")
      .where("ended_at", ">", from)
      .where("ended_at", "<", last)
      .orderBy("ended_at")
      .offset(count)
      .limit(1)
      .executeTakeFirst(),
  );
  return row?.ended_at ?? last;
}

async function cutBefore(
  context: LedgerContext,
  store: ContentStore,
  options: Omit<CutOptions, "before" | "runsAtOnce"> & { before: string },
): Promise<CutReport> {
  const { before } = options;
  const at = context.now().toISOString();
  const key = await openKeys(context).current();
  const { content, report } = await write(context, async (trx) => {
    const last = await trx
      .selectFrom("heads")
      .select(["position", "hash"])
      .where("at", "<", before)
      .where("kind", "!=", "checkpoint")
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    const removable = last ? await findRemovable(trx, before, last.position) : [];
    if (!last || removable.length === 0) {
      return { content: [], report: { ...NOTHING, removed: [] } };
    }

    if (options.dryRun) {
      const removedEvents = await countEvents(trx, removable);
      const dry = { ...NOTHING, removedRuns: removable.length, removedEvents, removed: removable };
      return { content: [], report: dry };
    }
    const previous = await trx.selectFrom("checkpoints").selectAll().orderBy("position", "desc").executeTakeFirst();
    const earlier = previous ? decodeCheckpoint(previous.data) : undefined;
    const { events: removedEvents, content } = await removeRuns(trx, removable, options.keepArtifacts === true);
    const checkpoint: Checkpoint = {
      position: last.position,
      hash: last.hash,
      before,
      at,
      removedRuns: (earlier?.removedRuns ?? 0) + removable.length,
      removedEvents: (earlier?.removedEvents ?? 0) + removedEvents,
      carried: await findCarried(trx, last.position, earlier, new Set(removable)),
    };
    await trx.deleteFrom("heads").where("position", "<=", last.position).execute();
    await trx.deleteFrom("checkpoints").where("position", "<=", last.position).execute();
    const { data, hash } = encodeCheckpoint(checkpoint);
    const head = await appendHead(trx, { kind: "checkpoint", runId: "", events: 0, headHash: hash, at });
    await trx.insertInto("checkpoints").values({ position: head.position, data }).execute();
    const signedHead = await signHeadWithin(trx, key, context.now());
    const report = { removedRuns: removable.length, removedEvents, removed: removable, checkpoint, signedHead };
    return { content, report };
  });
  if (content.length > 0) await write(context, (trx) => removeUnreferenced(trx, store, content));
  return report;
}

/** Other processes wait for a transaction of this size about a second. */
const RUNS_AT_ONCE = 5000;
/** Maximum number of values per statement. */
const IDS_AT_ONCE = 500;

const NOTHING: Omit<CutReport, "removed"> = { removedRuns: 0, removedEvents: 0, checkpoint: null, signedHead: null };

async function countEvents(trx: LedgerTransaction, all: readonly string[]): Promise<number> {
  let events = 0;
  for (const ids of inChunks(all)) {
    const rows = await trx.selectFrom("runs").select("events").where("id", "in", ids).execute();
    events += rows.reduce((sum, row) => sum + row.events, 0);
  }
  return events;
}

/** Runs that ended before the time and of which the chain says nothing after the position. */
async function findRemovable(trx: LedgerTransaction, before: string, position: number): Promise<string[]> {
  const later = await trx.selectFrom("heads").select("run_id").distinct().where("position", ">", position).execute();
  const mentionedLater = new Set(later.map((row) => row.run_id));
  const ended = await trx.selectFrom("runs").select("id").where("ended_at", "<", before).execute();
  const needed = await findRequiredRuns(trx);
  return ended.map((row) => row.id).filter((id) => !mentionedLater.has(id) && !needed.has(id));
}

/** Many at once: other processes wait for this transaction, and give up after some seconds. */
async function removeRuns(
  trx: LedgerTransaction,
  all: readonly string[],
  keepArtifacts: boolean,
): Promise<{ events: number; content: string[] }> {
  let events = 0;
  const content: string[] = [];
  for (const ids of inChunks(all)) {
    for (const table of keepArtifacts ? (["blob_refs"] as const) : (["artifacts", "blob_refs"] as const)) {
      const rows = await trx.selectFrom(table).select("sha256").where("run_id", "in", ids).execute();
      for (const row of rows) content.push(row.sha256);
      await trx.deleteFrom(table).where("run_id", "in", ids).execute();
    }
    for (const table of ["run_facts", "capabilities", "approvals", "responses", "requests"] as const) {
      await trx.deleteFrom(table).where("run_id", "in", ids).execute();
    }
    const { numDeletedRows } = await trx.deleteFrom("events").where("run_id", "in", ids).executeTakeFirst();
    events += Number(numDeletedRows);
    await trx.deleteFrom("runs").where("id", "in", ids).execute();
  }
  return { events, content };
}

function inChunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / IDS_AT_ONCE);
  return Array.from({ length: count }, (_, at) => ids.slice(at * IDS_AT_ONCE, (at + 1) * IDS_AT_ONCE));
}

/** The last of what the cut part of the chain, and the checkpoint before it, said about each run that stays. */
async function findCarried(
  trx: LedgerTransaction,
  position: number,
  earlier: Checkpoint | undefined,
  removed: ReadonlySet<string>,
): Promise<CarriedRun[]> {
  const carried = new Map<string, CarriedRun>(earlier?.carried.map((run) => [run.runId, run]));
  const heads = await trx
    .selectFrom("heads")
    .select(["run_id", "kind", "events", "head_hash"])
    .where("position", "<=", position)
    .where("kind", "!=", "checkpoint")
    .orderBy("position")
    .execute();
  for (const head of heads) {
    const ended = head.kind !== "created";
    carried.set(head.run_id, { runId: head.run_id, events: head.events, headHash: head.head_hash, ended });
  }
  return Array.from(carried.values()).filter((run) => !removed.has(run.runId));
}
