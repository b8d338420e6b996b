import { sql } from "kysely";
import type { LedgerDatabase } from "../database/schema.ts";
import { type CopiedTable, KEYS } from "./tables.ts";

type Row = Record<string, unknown>;

/** Rows in one statement: the server takes 65,535 values. */
const MAX_VALUES = 30_000;
const ROWS_AT_ONCE = 1000;
/** Rows may carry long texts; so much of them is sent at once. */
const TEXT_AT_ONCE = 8 * 1024 * 1024;

export interface CopyRowsOptions {
  source: LedgerDatabase;
  table: CopiedTable;
  /** Behind the row with this key; null: from the beginning. */
  after: Row | null;
  /** Called with each part, in order. */
  write(rows: readonly Row[]): Promise<void>;
}

/** Reads a table in the order of its key. Returns how many rows there were. */
export async function copyRows({ source, table, after, write }: CopyRowsOptions): Promise<number> {
  let last = after;
  let count = 0;
  for (;;) {
    const page = await readPage(source, table, last);
    for (const part of inParts(page)) await write(part);
    count += page.length;
    last = page.at(-1) ?? last;
    if (page.length < ROWS_AT_ONCE) return count;
  }
}

export async function insertRows(target: LedgerDatabase, table: CopiedTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(target);
}

/** The key of the last row that is there; null where there is none. */
export async function findLast(db: LedgerDatabase, table: CopiedTable): Promise<Row | null> {
  const keys = KEYS[table].map((key) => sql.ref(key));
  const order = KEYS[table].map((key) => sql`${sql.ref(key)} desc`);
  const { rows } = await sql<Row>`select ${sql.join(keys)} from ${sql.table(table)}
    order by ${sql.join(order)} limit 1`.execute(db);
  return rows[0] ?? null;
}

async function readPage(db: LedgerDatabase, table: CopiedTable, after: Row | null): Promise<Row[]> {
  const keys = KEYS[table].map((key) => sql.ref(key));
  const where = after ? sql`where (${sql.join(keys)}) > (${sql.join(KEYS[table].map((key) => after[key]))})` : sql``;
  const { rows } = await sql<Row>`select * from ${sql.table(table)} ${where}
    order by ${sql.join(keys)} limit ${ROWS_AT_ONCE}`.execute(db);
  return rows;
}

function inParts(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let [values, text] = [0, 0];
  for (const row of rows) {
    const all = Object.values(row);
    const size = all.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 8), 0);
    const part = parts.at(-1);
    if (!part || values + all.length > MAX_VALUES || text + size > TEXT_AT_ONCE) {
      parts.push([row]);
      [values, text] = [all.length, size];
      continue;
    }
    part.push(row);
    values += all.length;
    text += size;
  }
  return parts;
}
