import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What the host of agents keeps beside the runs: agents, bindings, events, conversations, state and storage. */
export const host: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("agents")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("bindings")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent", "text")
      .addColumn("rank", "text", (column) => column.notNull().unique())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("host_events")
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("conversation", "text")
      .addColumn("outcome", "text", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("envelope", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("host_events_by_conversation")
      .on("host_events")
      .columns(["conversation", "seq"])
      .execute();
    await db.schema
      .createTable("transcript")
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("conversation", "text", (column) => column.notNull())
      .addColumn("event_id", "text", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("content", "text", (column) => column.notNull())
      .addColumn("content_json", "text", (column) => column.notNull())
      .addColumn("artifacts", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("transcript_by_conversation")
      .on("transcript")
      .columns(["conversation", "seq"])
      .execute();
    await db.schema
      .createTable("host_values")
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("host_values_key", ["owner", "key"])
      .execute();
  },
};
