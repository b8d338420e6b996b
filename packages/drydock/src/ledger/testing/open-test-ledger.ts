import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ledger, type LedgerOptions, openLedger } from "../open-ledger.ts";
import { readOwner } from "../owner.ts";
import { createRedactor } from "../redact/create-redactor.ts";
import { databaseOf, fillIn, giveBackDatabase, runSql } from "./postgres/test-databases.ts";

export const NO_SECRETS = createRedactor({ environment: {}, allowedNames: () => true });

/** A ledger in a home of its own that is gone, with everything in it, when the test is over. */
export interface TestLedger extends AsyncDisposable {
  home: string;
  ledger: Ledger;
  /** Another connection, as somebody with write access to the database would use it. Returns how many rows it changed. */
  tamper(sql: string, ...parameters: (string | number | null)[]): number;
  query(sql: string, ...parameters: (string | number | null)[]): Record<string, unknown>[];
}

export function makeHome(): string {
  return mkdtempSync(join(tmpdir(), "drydock-ledger-"));
}

/** The ledger of a home, on the database that the tests run on. */
export function openAt(home: string, options: Partial<LedgerOptions> = {}): Promise<Ledger> {
  return openLedger({ redactor: NO_SECRETS, owner: readOwner(), databaseUrl: databaseOf(home), ...options, home });
}

export async function openTestLedger(options: Partial<LedgerOptions> = {}): Promise<TestLedger> {
  const home = options.home ?? makeHome();
  const ledger = await openAt(home, options);
  const address = databaseOf(home);
  function withDatabase<T>(work: (database: DatabaseSync) => T): T {
    using database = new DatabaseSync(join(home, "ledger.db"), { timeout: 5000 });
    return work(database);
  }
  const onSqlite: Pick<TestLedger, "tamper" | "query"> = {
    tamper: (sql, ...parameters) =>
      withDatabase((database) => Number(database.prepare(sql).run(...parameters).changes)),
    query: (sql, ...parameters) =>
      withDatabase((database) => database.prepare(sql).all(...parameters) as Record<string, unknown>[]),
  };
  return {
    home,
    ledger,
    ...(address === null ? onSqlite : tamperWith(address)),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      giveBackDatabase(home);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function tamperWith(address: string): Pick<TestLedger, "tamper" | "query"> {
  return {
    tamper(sql, ...parameters) {
      // It prints `UPDATE 2`.
      return Number(runSql(address, fillIn(sql, parameters)).trim().split(" ").at(-1));
    },
    query: (sql, ...parameters) =>
      JSON.parse(runSql(address, `select coalesce(json_agg(t), '[]') from (${fillIn(sql, parameters)}) t`)),
  };
}

/** A run with four events that has ended. */
export async function addEndedRun(ledger: Ledger, title = "print(1)"): Promise<string> {
  const { id } = await ledger.createRun({ kind: "exec", title, workspace: "/w", data: { policy: { version: 1 } } });
  await ledger.append(id, [{ type: "output.recorded", data: { stream: "stdout", text: `${title} says 1\n` } }]);
  await ledger.finish(id, { type: "run.succeeded", data: { verdict: "passed", treeHash: "abc" } }, [
    { type: "layer.captured", data: { treeHash: "abc" } },
  ]);
  return id;
}
