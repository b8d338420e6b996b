import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const profiles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("profiles")
      .addColumn("workspace", "text", (column) => column.notNull())
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("sources", "text", (column) => column.notNull())
      .addColumn("history", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("profiles_pk", ["workspace", "number"])
      .execute();
  },
};
