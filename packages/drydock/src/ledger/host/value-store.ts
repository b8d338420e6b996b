import { sql } from "kysely";
import { type LedgerContext, read, write } from "../ledger-context.ts";

/** Small values of runners, by owner: the key of a state's scope, a plugin, or a workspace. */
export interface ValueStore {
  get(owner: string, key: string): Promise<string | null>;
  /** False, and nothing is changed, where the keys and values of the owner would have more than `maxBytes`. */
  set(owner: string, key: string, value: string, maxBytes?: number): Promise<boolean>;
  delete(owner: string, key: string): Promise<void>;
  /** In the order of their keys. The prefix is literal. */
  list(owner: string, options: { prefix?: string; limit: number }): Promise<{ key: string; value: string }[]>;
  keys(owner: string, options: { limit: number }): Promise<string[]>;
}

export function createValueStore(context: LedgerContext): ValueStore {
  return {
    get: async (owner, key) => {
      const row = await read(context, (db) =>
        db
          .selectFrom("host_values")
          .select("value")
          .where("owner", "=", owner)
          .where("key", "=", key)
          .executeTakeFirst(),
      );
      return row?.value ?? null;
    },
    set: (owner, key, value, maxBytes = Number.POSITIVE_INFINITY) =>
      write(context, async (trx) => {
        const others = trx.selectFrom("host_values").where("owner", "=", owner).where("key", "!=", key);
        const { bytes } = await others
          .select(sql<number | null>`sum(octet_length(key) + octet_length(value))`.as("bytes"))
          .executeTakeFirstOrThrow();
        if ((bytes ?? 0) + Buffer.byteLength(key) + Buffer.byteLength(value) > maxBytes) return false;
        const changed_at = context.now().toISOString();
        await trx
          .insertInto("host_values")
          .values({ owner, key, value, changed_at })
          .onConflict((conflict) => conflict.columns(["owner", "key"]).doUpdateSet({ value, changed_at }))
          .execute();
        return true;
      }),
    delete: async (owner, key) => {
      await write(context, (trx) =>
        trx.deleteFrom("host_values").where("owner", "=", owner).where("key", "=", key).execute(),
      );
    },
    list: (owner, { prefix = "", limit }) =>
      read(context, (db) => {
        const all = db.selectFrom("host_values").select(["key", "value"]).where("owner", "=", owner);
        // Between the prefix and the first text that no longer begins with it.
        const some = prefix === "" ? all : all.where("key", ">=", prefix).where("key", "<", `${prefix}\u{10FFFF}`);
        return some.orderBy("key").limit(limit).execute();
      }),
    keys: async (owner, { limit }) => {
      const rows = await read(context, (db) =>
        db.selectFrom("host_values").select("key").where("owner", "=", owner).orderBy("key").limit(limit).execute(),
      );
      return rows.map(({ key }) => key);
    },
  };
}
