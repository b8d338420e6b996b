import { DrydockError } from "@drydock/protocol";
import { sql } from "kysely";
import type { LedgerDatabase } from "../../schema.ts";

const OLDEST_VERSION = 130_000;

interface Answer {
  version: number;
  release: string;
  encoding: string;
  readonly: string;
  schema: string | null;
  maycreate: boolean;
  /** Drydock's own tables are there, or those of another program. */
  ours: boolean;
  others: boolean;
}

const ASK = sql<Answer>`select
  current_setting('server_version_num')::int as version,
  split_part(current_setting('server_version'), ' ', 1) as release,
  current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only') as readonly,
  current_schema() as schema,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as maycreate,
  to_regclass('kysely_migration') is not null and to_regclass('heads') is not null
    and to_regclass('checkpoints') is not null as ours,
  exists (select from pg_tables where schemaname = current_schema()) as others`;

/** Refuses a server that would not keep what it gets, and a database that belongs to another program. */
export async function examineServer(
  db: LedgerDatabase,
  shown: string,
): Promise<{ isReadOnly: boolean; version: string }> {
  const [answer] = (await ASK.execute(db)).rows;
  if (!answer) throw new Error("the server has answered nothing");
  const refuse = (reason: string, message: string, hint: string) =>
    new DrydockError("ledger.unavailable", message, hint, { database: shown, reason });
  if (answer.version < OLDEST_VERSION) {
    const version = Math.floor(answer.version / 10_000);
    throw refuse("old", `The server of ${shown} is too old: its version is ${version}.`, "Use PostgreSQL 13 or later.");
  }
  if (answer.encoding !== "UTF8")
    throw refuse(
      "encoding",
      `The database ${shown} stores text as ${answer.encoding}.`,
      "Create one with the encoding UTF8: createdb --encoding=UTF8 --template=template0 NAME.",
    );
  // DATABASE_URL is a name that many programs read.
  if (answer.others && !answer.ours)
    throw refuse(
      "occupied",
      `The database ${shown} has tables of another program in its schema ${answer.schema}.`,
      "Give Drydock a database of its own (createdb drydock), or unset DATABASE_URL to keep the ledger in DRYDOCK_HOME.",
    );
  if (!answer.ours && !answer.maycreate) throw asServer("42501", "permission denied for schema");
  return { isReadOnly: answer.readonly === "on", version: answer.release };
}

/** What the server itself would say, later and less clearly. */
export function asServer(code: string, message: string): Error {
  return Object.assign(new Error(message), { severity: "ERROR", code });
}
