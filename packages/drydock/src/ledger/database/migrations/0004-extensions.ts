import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "../features.ts";

/** Calls of extensions, their approvals, and their responses. */
export const extensions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const keyed = featuresOf(db).keyedTable;
    await db.schema
      .createTable("capabilities")
      .addColumn("run_id", "text", (column) => column.primaryKey())
      .addColumn("extension", "text", (column) => column.notNull())
      .addColumn("command", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("caller", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("began_at", "text")
      .addColumn("duration_ms", "bigint")
      .modifyEnd(keyed)
      .execute();
    for (const column of ["extension", "caller", "session"]) {
      const name = `capabilities_by_${column}`;
      await db.schema.createIndex(name).on("capabilities").columns([column, "run_id"]).execute();
    }
    // Holds all that a quota is reckoned from, so that the rows themselves need not be read.
    await db.schema
      .createIndex("capabilities_by_use")
      .on("capabilities")
      .columns(["extension", "began_at", "duration_ms"])
      .where(sql.ref("began_at"), "is not", null)
      .execute();

    await db.schema
      .createTable("approvals")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("extension", "text", (column) => column.notNull())
      .addColumn("command", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("summary", "text", (column) => column.notNull())
      .addColumn("risk", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("requested_by", "text", (column) => column.notNull())
      .addColumn("requested_at", "text", (column) => column.notNull())
      .addColumn("decided_by", "text")
      .addColumn("decided_at", "text")
      .addColumn("reason", "text")
      .modifyEnd(keyed)
      .execute();
    await db.schema.createIndex("approvals_by_status").on("approvals").columns(["status", "id"]).execute();
    await db.schema.createIndex("approvals_by_run").on("approvals").column("run_id").execute();

    // The content is the last column: what only asks for the others does not read it.
    await db.schema
      .createTable("responses")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("extension", "text", (column) => column.notNull())
      .addColumn("command", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("mime", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("kept", "bigint", (column) => column.notNull())
      .addColumn("truncated", "integer", (column) => column.notNull())
      .addColumn("artifact", "text")
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addColumn("content", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("responses_by_session").on("responses").columns(["session", "id"]).execute();
    await db.schema.createIndex("responses_by_expiry").on("responses").column("expires_at").execute();
    await db.schema.createIndex("responses_by_run").on("responses").column("run_id").execute();
  },
};
