import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { fromEventRow, type StoredEvent } from "./event-store.ts";

/** A conversation as its events show it. `key` is the same for all of them. */
export interface StoredConversation {
  key: string;
  events: number;
  messages: number;
  first: StoredEvent;
  last: StoredEvent;
}

export interface ConversationStore {
  /** Those with the newest events first: before this number of an event, if one is given. */
  list(options: { before?: number; limit: number }): Promise<StoredConversation[]>;
  find(key: string): Promise<StoredConversation | null>;
  count(): Promise<number>;
  /** Runs that events of the conversation have reached. */
  runs(key: string): Promise<string[]>;
  /**
   * Removes its messages, the values of these owners, and what its events said. That the events came stays known, so that
   * one that is delivered again is not handled again. False, and nothing is removed: an event or a run of it is under way.
   */
  erase(key: string, owners: readonly string[]): Promise<boolean>;
}

export function createConversationStore(context: LedgerContext): ConversationStore {
  return {
    list: ({ before, limit }) => select(context, { before, limit }),
    find: async (key) => (await select(context, { key, limit: 1 }))[0] ?? null,
    count: () =>
      read(context, async (db) => {
        const { count } = await db
          .selectFrom("host_events")
          .select(({ fn }) => fn.count<number>("conversation").distinct().as("count"))
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    runs: async (key) => {
      const rows = await read(context, (db) =>
        db.selectFrom("host_events").select("run_id").distinct().where("conversation", "=", key).execute(),
      );
      return rows.flatMap(({ run_id }) => run_id ?? []);
    },
    erase: (key, owners) =>
      write(context, async (trx) => {
        if (await isUnderWay(context, trx, key)) return false;
        await trx.deleteFrom("transcript").where("conversation", "=", key).execute();
        for (const owner of owners) await trx.deleteFrom("host_values").where("owner", "=", owner).execute();
        await eraseEvents(trx, key);
        return true;
      }),
  };
}

/** An event that another process got, and that it has not given to a run after this time, failed on its way. */
const HANDLED_MS = 10_000;

/** Runs in all processes, and events that another process has just got. Those of this one are its own affair. */
async function isUnderWay(context: LedgerContext, trx: LedgerTransaction, key: string): Promise<boolean> {
  const run = await trx
    .selectFrom("host_events")
    .innerJoin("runs", "runs.id", "host_events.run_id")
    .select("runs.id")
    .where("conversation", "=", key)
    .where("runs.ended_at", "is", null)
    .executeTakeFirst();
  if (run) return true;
  const sinceMs = context.now().getTime() - HANDLED_MS;
  const fresh = await trx
    .selectFrom("host_events")
    .select("owner")
    .where("conversation", "=", key)
    .where("outcome", "=", "received")
    .where("created_at", ">", new Date(sinceMs).toISOString())
    .execute();
  const own = JSON.stringify(context.owner);
  return fresh.some(({ owner }) => owner && owner !== own && !context.isGone(JSON.parse(owner)));
}

async function eraseEvents(trx: LedgerTransaction, key: string): Promise<void> {
  const rows = await trx.selectFrom("host_events").select(["id", "type"]).where("conversation", "=", key).execute();
  for (const { id, type } of rows) {
    const bare = { conversation: null, envelope: JSON.stringify({ type }) };
    await trx.updateTable("host_events").set(bare).where("id", "=", id).execute();
  }
}

async function select(
  context: LedgerContext,
  { key, before, limit }: { key?: string; before?: number; limit: number },
): Promise<StoredConversation[]> {
  return read(context, async (db) => {
    let query = db
      .selectFrom("host_events")
      .select(({ fn }) => [
        "conversation",
        fn.max("seq").as("last"),
        fn.min("seq").as("first"),
        fn.countAll<number>().as("events"),
      ])
      .where("conversation", "is not", null)
      .groupBy("conversation")
      .orderBy("last", "desc")
      .limit(limit);
    if (key !== undefined) query = query.where("conversation", "=", key);
    if (before !== undefined) query = query.having(({ fn }) => fn.max("seq"), "<", before);
    const groups = await query.execute();
    if (groups.length === 0) return [];
    const keys = groups.flatMap(({ conversation }) => conversation ?? []);
    const ends = groups.flatMap(({ first, last }) => [Number(first), Number(last)]);
    const rows = await db.selectFrom("host_events").selectAll().where("seq", "in", ends).execute();
    const events = new Map(rows.map((row) => [row.seq, fromEventRow(row)]));
    const counts = await db
      .selectFrom("transcript")
      .select(({ fn }) => ["conversation", fn.countAll<number>().as("messages")])
      .where("conversation", "in", keys)
      .groupBy("conversation")
      .execute();
    const messages = new Map(counts.map((row) => [row.conversation, Number(row.messages)]));
    return groups.flatMap((group): StoredConversation[] => {
      const [first, last] = [events.get(Number(group.first)), events.get(Number(group.last))];
      if (group.conversation === null || !first || !last) return [];
      const { conversation: found } = group;
      return [{ key: found, events: Number(group.events), messages: messages.get(found) ?? 0, first, last }];
    });
  });
}
