import { execFileSync } from "node:child_process";
import { addressIn, findPostgresProgram } from "./start-postgres.ts";

/** The directory of the server for tests; undefined where the tests run on SQLite. */
const SERVER = process.env.DRYDOCK_TEST_POSTGRES;
export const isOnPostgres = SERVER !== undefined;

interface Databases {
  byHome: Map<string, string>;
  /** Those of tests that are over: a new one takes half a second. */
  free: string[];
  made: number;
}

/** All test files of one process share them. */
const shared = globalThis as typeof globalThis & { drydockTestDatabases?: Databases };
shared.drydockTestDatabases ??= { byHome: new Map(), free: [], made: 0 };
const databases = shared.drydockTestDatabases;

/** The address of the database that a home has in this test; null on SQLite. It is empty at first. */
export function databaseOf(home: string, options: { fresh?: boolean } = {}): string | null {
  if (SERVER === undefined) return null;
  let name = databases.byHome.get(home);
  if (name === undefined) {
    const used = options.fresh ? undefined : databases.free.pop();
    name = used ?? `test_${process.pid}_${databases.made++}`;
    if (used) runSql(addressIn(SERVER, used), EMPTY);
    else runSql(addressIn(SERVER), `create database ${name}`);
    databases.byHome.set(home, name);
  }
  return addressIn(SERVER, name);
}

export function giveBackDatabase(home: string): void {
  const name = databases.byHome.get(home);
  if (name === undefined) return;
  databases.byHome.delete(home);
  databases.free.push(name);
}

/** What a test before has left. */
const EMPTY = `do $$ declare t text; begin
  for t in select tablename from pg_tables where schemaname = 'public' loop
    if t like 'knowledge_words_%' then execute format('drop table %I', t);
    elsif t not like 'kysely_%' then execute format('delete from %I', t);
    end if;
  end loop;
end $$`;

/** Through a program of its own, as somebody who can write to the database would do it. What the last statement prints. */
export function runSql(address: string, sql: string): string {
  const options = ["-XAt", "-v", "ON_ERROR_STOP=1", "-c", sql, address];
  return execFileSync(findPostgresProgram("psql"), options, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A statement with its parameters written into it: what may be tampered with is ours. */
export function fillIn(sql: string, parameters: readonly (string | number | null)[]): string {
  let at = 0;
  return sql.replace(/\?/g, () => {
    const value = parameters[at++] ?? null;
    return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  });
}
