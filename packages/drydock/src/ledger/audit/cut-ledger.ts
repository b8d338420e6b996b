import { appendHead } from "../chain/append-head.ts";
import type { ContentStore } from "../content/content-store.ts";
import { removeUnreferenced } from "../content/references.ts";
import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { createKeyStore } from "../signing/key-store.ts";
import { type HeadSignature, signHeadWithin } from "../signing/sign-head.ts";
import { type CarriedRun, type Checkpoint, decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
import { findNeeded } from "./find-needed.ts";

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
}

/**
 * Retention: removes the runs that ended before a time, and the entries of the ledger's chain up to the last one of
 * that time. A run that is still under way, that such a run needs, or that something was recorded about later, stays;
 * the checkpoint carries it. Files are removed after the rows are gone for good: a crash in between leaves files that
 * nobody needs, which the next expiry removes.
 */
export async function cutLedger(context: LedgerContext, store: ContentStore, options: CutOptions): Promise<CutReport> {
  const before = options.before.toISOString();
  const at = context.now().toISOString();
  const key = await createKeyStore(context.home).current();
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

const NOTHING = { removedRuns: 0, removedEvents: 0, checkpoint: null, signedHead: null };

async function countEvents(trx: LedgerTransaction, ids: readonly string[]): Promise<number> {
  let events = 0;
  for (const id of ids) {
    const row = await trx.selectFrom("runs").select("events").where("id", "=", id).executeTakeFirst();
    events += row?.events ?? 0;
  }
  return events;
}

/** Runs that ended before the time and of which the chain says nothing after the position. */
async function findRemovable(trx: LedgerTransaction, before: string, position: number): Promise<string[]> {
  const later = await trx.selectFrom("heads").select("run_id").distinct().where("position", ">", position).execute();
  const mentionedLater = new Set(later.map((row) => row.run_id));
  const ended = await trx.selectFrom("runs").select("id").where("ended_at", "<", before).execute();
  const needed = await findNeeded(trx);
  return ended.map((row) => row.id).filter((id) => !mentionedLater.has(id) && !needed.has(id));
}

async function removeRuns(
  trx: LedgerTransaction,
  ids: readonly string[],
  keepArtifacts: boolean,
): Promise<{ events: number; content: string[] }> {
  let events = 0;
  const content: string[] = [];
  for (const id of ids) {
    for (const table of keepArtifacts ? (["blob_refs"] as const) : (["artifacts", "blob_refs"] as const)) {
      const rows = await trx.selectFrom(table).select("sha256").where("run_id", "=", id).execute();
      content.push(...rows.map((row) => row.sha256));
      await trx.deleteFrom(table).where("run_id", "=", id).execute();
    }
    for (const table of ["capabilities", "approvals", "responses", "requests"] as const) {
      await trx.deleteFrom(table).where("run_id", "=", id).execute();
    }
    const { numDeletedRows } = await trx.deleteFrom("events").where("run_id", "=", id).executeTakeFirst();
    events += Number(numDeletedRows);
    await trx.deleteFrom("runs").where("id", "=", id).execute();
  }
  return { events, content };
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
