import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Which process has an event of the host in hand: one that died with it leaves it to whoever gets the event again. */
export const eventOwners: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("host_events").addColumn("owner", "text").execute();
  },
};
