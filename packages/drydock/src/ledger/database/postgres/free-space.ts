import { sql } from "kysely";
import type { LedgerDatabase } from "../schema.ts";

/** PostgreSQL frees room by itself, and gives it to new rows; how much there is now, only an extension could say. */
export async function measureFreeSpace(): Promise<number> {
  return 0;
}

/** Lets the server use the room of removed rows at once. It is not given back to the disk, so that nobody waits. */
export async function reclaimSpace(db: LedgerDatabase): Promise<number> {
  await sql`vacuum`.execute(db);
  return 0;
}

/** What the database takes, but for contents, which are counted by what they are. */
export async function measureServer(db: LedgerDatabase): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
    pg_database_size(current_database()) - pg_total_relation_size('content_parts') as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
