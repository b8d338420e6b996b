import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Ledger, type LedgerOptions, openLedger } from "../open-ledger.ts";
import { readOwner } from "../owner.ts";
import { createRedactor } from "../redact/create-redactor.ts";

export const NO_SECRETS = createRedactor({ environment: {}, allowedNames: () => true });

/** A ledger in a home of its own that is gone, with everything in it, when the test is over. */
export interface TestLedger extends AsyncDisposable {
  home: string;
  ledger: Ledger;
  /** Another connection, as somebody with write access to the file would use it. */
  tamper(sql: string, ...parameters: (string | number | null)[]): number;
  query(sql: string, ...parameters: (string | number | null)[]): Record<string, unknown>[];
}

export function makeHome(): string {
  return mkdtempSync(join(tmpdir(), "drydock-ledger-"));
}

export async function openTestLedger(options: Partial<LedgerOptions> = {}): Promise<TestLedger> {
  const home = options.home ?? makeHome();
  const ledger = await openLedger({ redactor: NO_SECRETS, owner: readOwner(), ...options, home });
  function withDatabase<T>(work: (database: DatabaseSync) => T): T {
    using database = new DatabaseSync(join(home, "ledger.db"), { timeout: 5000 });
    return work(database);
  }
  return {
    home,
    ledger,
    tamper: (sql, ...parameters) =>
      withDatabase((database) => Number(database.prepare(sql).run(...parameters).changes)),
    query: (sql, ...parameters) =>
      withDatabase((database) => database.prepare(sql).all(...parameters) as Record<string, unknown>[]),
    async [Symbol.asyncDispose]() {
      await ledger.close();
      rmSync(home, { recursive: true, force: true });
    },
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
