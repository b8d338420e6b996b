import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What was refused or wrong in the host and belongs to no run: one row for each kind of it, with how often it happened. */
export const hostWarnings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("host_warnings")
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("count", "integer", (column) => column.notNull())
      .addColumn("first_at", "text", (column) => column.notNull())
      .addColumn("last_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("host_warnings_key", ["source", "text"])
      .execute();
    await db.schema.createIndex("host_warnings_by_time").on("host_warnings").column("last_at").execute();
  },
};
