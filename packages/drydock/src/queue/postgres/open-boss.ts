import { DrydockError } from "@drydock/protocol";
import type { Db, PgBoss } from "pg-boss";
import type { Sql } from "../../ledger/index.ts";
import { makeTables } from "./tables.ts";

/** The job engine: it stores jobs, hands each to one fetcher, holds it to its heartbeat, repeats it, and gives it up. */
export interface Boss {
  readonly engine: PgBoss;
  readonly sql: Sql;
  /** Commits what `work` writes, or nothing of it. */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Calls back when there may be something to fetch. */
  listen(onChange: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface BossOptions {
  databaseUrl: string;
  /** Whether this process looks for jobs whose workers are silent, as workers and servers do. */
  supervises: boolean;
}

/** Names of its two queues. A job says which run it is about, and nothing more. */
export const RUNS = "runs";
/** Jobs that were given up. */
export const DEAD = "dead";
export const CHANNEL = "drydock_queue";

const SCHEMA = "drydock_jobs";
/** Within this time a worker's silence costs it its claim. The engine takes no less. */
export const LEASE_SECONDS = 10;
const CONNECTIONS = 4;
const DAY_SECONDS = 86_400;
/** Of a job that fails, or whose worker is gone: after about 1, 2, 4, 8 and 16 seconds. */
const RETRIES = { retryLimit: 5, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 };

export async function openBoss({ databaseUrl, supervises }: BossOptions): Promise<Boss> {
  // Whoever has no shared database does not wait for its code.
  const { PgBoss } = await import("pg-boss");
  const engine = new PgBoss({
    connectionString: databaseUrl,
    application_name: "drydock queue",
    schema: SCHEMA,
    max: CONNECTIONS,
    supervise: supervises,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    // Its own statistics need no vacuum of a stranger's database.
    monitorVacuum: false,
  });
  // What fails is tried again with the next interval. Whoever asks for something himself gets the error as his own.
  engine.on("error", () => {});
  engine.on("warning", () => {});
  try {
    await engine.start();
    const db = engine.getDb();
    await makeTables(sqlOf(db));
    await makeQueues(engine);
    return {
      engine,
      sql: sqlOf(db),
      transact: (work) => transact(db, work),
      listen: (onChange) => listen(db, onChange),
      close: () => engine.stop({ graceful: false }),
    };
  } catch (error) {
    await engine.stop({ graceful: false }).catch(() => {});
    throw queueUnavailable(error);
  }
}

async function makeQueues(engine: PgBoss): Promise<void> {
  const known = (await engine.getQueues([RUNS, DEAD])).map(({ name }) => name);
  if (known.includes(RUNS)) return;
  const kept = {
    deleteAfterSeconds: DAY_SECONDS,
    retentionSeconds: 90 * DAY_SECONDS,
    expireInSeconds: DAY_SECONDS - 1,
  };
  await engine.createQueue(DEAD, { ...kept, retryLimit: 1000, retryDelay: 1, deleteAfterSeconds: 30 * DAY_SECONDS });
  await engine.createQueue(RUNS, { ...kept, ...RETRIES, heartbeatSeconds: LEASE_SECONDS, deadLetter: DEAD });
}

/** Statements of the engine inside a transaction of the ledger. */
export function engineIn(sql: Sql): Db {
  return { executeSql: async (text, values) => ({ rows: await sql(text, values) }) };
}

function sqlOf(db: Db): Sql {
  return async (text, values = []) => (await db.executeSql(text, [...values])).rows;
}

async function transact<T>(db: Db, work: (sql: Sql) => Promise<T>): Promise<T> {
  if (!db.beginTransaction) throw new Error("the engine's connection has no transactions");
  const transaction = await db.beginTransaction();
  try {
    const result = await work(sqlOf(transaction.db));
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

async function listen(db: Db, onChange: () => void): Promise<() => Promise<void>> {
  if (!db.listen) throw new Error("the engine's connection can't listen");
  const handle = await db.listen(CHANNEL, onChange, onChange);
  return () => handle.close();
}

function queueUnavailable(cause: unknown): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The queue can't be opened: ${cause instanceof Error ? cause.message : String(cause)}.`,
    "Check that the server of DATABASE_URL runs, and that its user may create schemas.",
    { reason: "queue" },
    cause,
  );
}
