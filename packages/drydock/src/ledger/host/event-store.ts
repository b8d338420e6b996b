import { HostEvent } from "@drydock/protocol";
import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { type EventRow, findLeftSteering, readAgentName } from "./left-steering.ts";

/** What became of an event. `received`: nothing yet, because the process that got it has ended. */
export type EventOutcome = "received" | "run" | "steering" | "unbound" | "discarded";

export interface StoredEvent {
  seq: number;
  id: string;
  event: HostEvent;
  outcome: EventOutcome;
  runId: string | null;
  createdAt: string;
}

export interface EventStore {
  /**
   * `conversation` is its key, or null. Gives null where there is an event of this id already; one that a process had in hand which
   * is gone counts as new, and what it left in the transcript is taken out.
   */
  add(id: string, event: HostEvent, conversation: string | null): Promise<StoredEvent | null>;
  settle(id: string, outcome: EventOutcome, runId?: string | null): Promise<void>;
  find(id: string): Promise<StoredEvent | null>;
  /** Events that nothing became of: their process ended before. */
  countUnhandled(): Promise<number>;
  /**
   * Takes over messages that were queued for a run which has ended without them, with a process that is gone. Each is given to
   * one caller only, with the agent that it was queued for.
   */
  takeLeftSteering(): Promise<{ event: StoredEvent; agent: string | null }[]>;
  hasLeftSteering(): Promise<boolean>;
  /** Events of a conversation, the newest first. */
  page(conversation: string, options: { before?: number; limit: number }): Promise<StoredEvent[]>;
}

export function createEventStore(context: LedgerContext): EventStore {
  return {
    add: (id, event, conversation) =>
      write(context, async (trx) => {
        const owner = JSON.stringify(context.owner);
        const known = await trx.selectFrom("host_events").selectAll().where("id", "=", id).executeTakeFirst();
        if (known) return (await isLeft(context, trx, known)) ? takeOver(trx, known, owner) : null;
        const row = {
          owner,
          ...{ id, type: event.type, conversation, outcome: "received", run_id: null },
          envelope: JSON.stringify(context.redactor.value(event)),
          created_at: context.now().toISOString(),
        };
        const { seq } = await trx.insertInto("host_events").values(row).returning("seq").executeTakeFirstOrThrow();
        return fromEventRow({ ...row, seq });
      }),
    settle: async (id, outcome, runId = null) => {
      await write(context, (trx) =>
        trx.updateTable("host_events").set({ outcome, run_id: runId }).where("id", "=", id).execute(),
      );
    },
    find: async (id) => {
      const row = await read(context, (db) =>
        db.selectFrom("host_events").selectAll().where("id", "=", id).executeTakeFirst(),
      );
      return row ? fromEventRow(row) : null;
    },
    countUnhandled: () =>
      read(context, async (db) => {
        const { count } = await db
          .selectFrom("host_events")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("outcome", "=", "received")
          .executeTakeFirstOrThrow();
        return Number(count) + (await findLeftSteering(context, db)).length;
      }),
    hasLeftSteering: () => read(context, async (db) => (await findLeftSteering(context, db)).length > 0),
    takeLeftSteering: () =>
      write(context, async (trx) => {
        const taken = [];
        for (const row of await findLeftSteering(context, trx)) {
          const change = { owner: JSON.stringify(context.owner), outcome: "received", run_id: null };
          await trx.updateTable("host_events").set(change).where("id", "=", row.id).execute();
          const agent = await readAgentName(trx, row.run_id);
          taken.push({ event: fromEventRow({ ...row, ...change }), agent });
        }
        return taken;
      }),
    page: async (conversation, { before, limit }) => {
      const rows = await read(context, (db) => {
        const all = db.selectFrom("host_events").selectAll().where("conversation", "=", conversation);
        const earlier = before === undefined ? all : all.where("seq", "<", before);
        return earlier.orderBy("seq", "desc").limit(limit).execute();
      });
      return rows.map(fromEventRow);
    },
  };
}

/** Nothing became of it, and nobody is left who could see to that. */
async function isLeft(
  context: LedgerContext,
  trx: LedgerTransaction,
  { id, outcome, owner }: EventRow,
): Promise<boolean> {
  if (outcome === "steering") return (await findLeftSteering(context, trx, { id })).length > 0;
  return outcome === "received" && owner !== null && context.isGone(JSON.parse(owner));
}

async function takeOver(trx: LedgerTransaction, row: EventRow, owner: string): Promise<StoredEvent> {
  const change = { owner, outcome: "received", run_id: null };
  await trx.updateTable("host_events").set(change).where("id", "=", row.id).execute();
  if (row.conversation !== null)
    await trx
      .deleteFrom("transcript")
      .where("conversation", "=", row.conversation)
      .where("event_id", "=", row.id)
      .execute();
  return fromEventRow({ ...row, ...change });
}

export function fromEventRow({ seq, id, envelope, outcome, run_id, created_at }: EventRow): StoredEvent {
  const event = HostEvent.parse(JSON.parse(envelope));
  return { seq, id, event, outcome: outcome as EventOutcome, runId: run_id, createdAt: created_at };
}
