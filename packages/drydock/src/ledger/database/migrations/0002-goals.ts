import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "../features.ts";

/** What other processes ask of a run that is under way, and tasks that wait beside planned ones. */
export const goals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const keyed = featuresOf(db).keyedTable;
    await db.schema
      .createTable("requests")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .modifyEnd(keyed)
      .execute();
    await db.schema.createIndex("requests_by_run").on("requests").columns(["run_id", "id"]).execute();
    await db.schema
      .createTable("backlog")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("workspace", "text", (column) => column.notNull())
      .addColumn("task", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("run_id", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .modifyEnd(keyed)
      .execute();
    await db.schema.createIndex("backlog_by_workspace").on("backlog").columns(["workspace", "id"]).execute();
  },
};
