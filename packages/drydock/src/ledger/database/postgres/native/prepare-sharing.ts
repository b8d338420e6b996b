import { type Kysely, sql } from "kysely";

/** What a database needs that several machines share; see `sharing-tables.ts`. */
export async function prepareSharing(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("members")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("host", "text", (column) => column.notNull())
    .addColumn("home", "text", (column) => column.notNull())
    .addColumn("joined_at", "text", (column) => column.notNull())
    .addColumn("seen_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("member_keys")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("member", "text", (column) => column.notNull())
    .addColumn("spki", "text", (column) => column.notNull())
    .addColumn("added_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("contents")
    .addColumn("sha256", "text", (column) => column.primaryKey())
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("stored_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("content_parts")
    .addColumn("sha256", "text", (column) => column.notNull())
    .addColumn("part", "integer", (column) => column.notNull())
    .addColumn("bytes", "blob", (column) => column.notNull())
    .addPrimaryKeyConstraint("content_parts_key", ["sha256", "part"])
    .execute();
  // Most of it can't be made smaller, and to try costs more than to write it.
  await sql`alter table content_parts alter column bytes set storage external`.execute(db);
  // One message for each run and statement, whoever writes: those who listen get it with the commit, or not at all.
  await sql`create function drydock_announce() returns trigger language plpgsql as $$ begin
    perform pg_notify('drydock_events', run_id) from (select distinct run_id from added) as runs;
    return null;
  end $$`.execute(db);
  await sql`create trigger drydock_announce after insert on events referencing new table as added
    for each statement execute function drydock_announce()`.execute(db);
}
