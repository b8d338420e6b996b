import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("sessions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("language", "text", (column) => column.notNull())
      .addColumn("opened_at", "text", (column) => column.notNull())
      .addColumn("closed_at", "text")
      .addColumn("reason", "text")
      .addColumn("idle_ms", "bigint", (column) => column.notNull())
      .addColumn("steps", "bigint", (column) => column.notNull())
      .addColumn("failed_steps", "bigint", (column) => column.notNull())
      .addColumn("cpu_ms", "bigint", (column) => column.notNull())
      .addColumn("owner_pid", "bigint", (column) => column.notNull())
      .addColumn("owner_start", "text", (column) => column.notNull())
      .addColumn("owner_host", "text", (column) => column.notNull())
      .execute();
  },
};
