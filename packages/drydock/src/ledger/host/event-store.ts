import { HostEvent } from "@drydock/protocol";
import type { HostEventsTable, LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { isOwnerGone } from "../owner.ts";

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
  /** Events of a conversation, the newest first. */
  page(conversation: string, options: { before?: number; limit: number }): Promise<StoredEvent[]>;
}

export function createEventStore(context: LedgerContext): EventStore {
  return {
    add: (id, event, conversation) =>
      write(context, async (trx) => {
        const owner = JSON.stringify(context.owner);
        const known = await trx.selectFrom("host_events").selectAll().where("id", "=", id).executeTakeFirst();
        if (known) return isLeft(context, known) ? takeOver(trx, known, owner) : null;
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
        return Number(count);
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
function isLeft(context: LedgerContext, { outcome, owner }: Row): boolean {
  return outcome === "received" && owner !== null && isOwnerGone(JSON.parse(owner), context.owner.host);
}

async function takeOver(trx: LedgerTransaction, row: Row, owner: string): Promise<StoredEvent> {
  await trx.updateTable("host_events").set({ owner }).where("id", "=", row.id).execute();
  if (row.conversation !== null)
    await trx
      .deleteFrom("transcript")
      .where("conversation", "=", row.conversation)
      .where("event_id", "=", row.id)
      .execute();
  return fromEventRow({ ...row, owner });
}

type Row = Omit<HostEventsTable, "seq"> & { seq: number };

export function fromEventRow({ seq, id, envelope, outcome, run_id, created_at }: Row): StoredEvent {
  const event = HostEvent.parse(JSON.parse(envelope));
  return { seq, id, event, outcome: outcome as EventOutcome, runId: run_id, createdAt: created_at };
}
