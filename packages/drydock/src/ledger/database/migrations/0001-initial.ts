import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "../features.ts";

export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const keyed = featuresOf(db).keyedTable;
    await db.schema
      .createTable("runs")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("verdict", "text", (column) => column.notNull())
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("session_id", "text")
      .addColumn("workspace", "text")
      .addColumn("error_code", "text")
      .addColumn("tree_hash", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("ended_at", "text")
      .addColumn("events", "integer", (column) => column.notNull())
      .addColumn("head_hash", "text", (column) => column.notNull())
      .addColumn("owner_pid", "integer", (column) => column.notNull())
      .addColumn("owner_start", "text", (column) => column.notNull())
      .addColumn("owner_host", "text", (column) => column.notNull())
      .modifyEnd(keyed)
      .execute();
    await db.schema.createIndex("runs_by_status").on("runs").columns(["status", "id"]).execute();
    await db.schema
      .createIndex("runs_by_session")
      .on("runs")
      .columns(["session_id", "id"])
      .where(sql.ref("session_id"), "is not", null)
      .execute();

    await db.schema
      .createTable("events")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("seq", "integer", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("prev_hash", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("events_pk", ["run_id", "seq"])
      .modifyEnd(keyed)
      .execute();

    await db.schema
      .createTable("heads")
      .addColumn("position", "integer", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("events", "integer", (column) => column.notNull())
      .addColumn("head_hash", "text", (column) => column.notNull())
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("prev_hash", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("checkpoints")
      .addColumn("position", "integer", (column) => column.primaryKey())
      .addColumn("data", "text", (column) => column.notNull())
      .execute();

    await db.schema
      .createTable("meta")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .modifyEnd(keyed)
      .execute();

    await db.schema
      .createTable("artifacts")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("mime", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text")
      .execute();
    await db.schema.createIndex("artifacts_by_run").on("artifacts").columns(["run_id", "id"]).execute();
    await db.schema.createIndex("artifacts_by_content").on("artifacts").column("sha256").execute();
    await db.schema.createIndex("artifacts_by_expiry").on("artifacts").column("expires_at").execute();

    await db.schema
      .createTable("blob_refs")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("size", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("blob_refs_pk", ["run_id", "sha256"])
      .execute();
    await db.schema.createIndex("blob_refs_by_content").on("blob_refs").column("sha256").execute();
  },
};
