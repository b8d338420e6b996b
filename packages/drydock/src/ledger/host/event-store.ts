import { HostEvent } from "@drydock/protocol";
import type { HostEventsTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";

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
  /** `conversation` is its key, or null. Gives null where there is an event of this id already. */
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
        const known = await trx.selectFrom("host_events").select("seq").where("id", "=", id).executeTakeFirst();
        if (known) return null;
        const row = {
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

type Row = Omit<HostEventsTable, "seq"> & { seq: number };

export function fromEventRow({ seq, id, envelope, outcome, run_id, created_at }: Row): StoredEvent {
  const event = HostEvent.parse(JSON.parse(envelope));
  return { seq, id, event, outcome: outcome as EventOutcome, runId: run_id, createdAt: created_at };
}
