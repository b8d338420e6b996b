import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Event sources of the host: what they are, and how they stand. */
export const sources: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("sources")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("status", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .execute();
  },
};
