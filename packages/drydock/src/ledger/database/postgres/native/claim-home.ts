import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { LedgerDatabase } from "../../schema.ts";

interface Claim {
  id: string;
  /** For people: where the home was when it took the database. */
  host: string;
  path: string;
}

const KEY = "home";

/**
 * Artifacts, layers and keys of a ledger lie in its home. A database therefore belongs to one home, the first that opens it:
 * another one would list runs whose files it has not, and sign with a key that nobody knows.
 */
export async function claimHome(db: LedgerDatabase, { home, shown }: { home: string; shown: string }): Promise<void> {
  const own: Claim = { id: readHomeId(home), host: hostname(), path: home };
  const found = await readClaim(db);
  if (found?.id === own.id) return;
  if (!found) {
    const row = { key: KEY, value: JSON.stringify(own) };
    await db
      .insertInto("meta")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const holder = found ?? (await readClaim(db));
  if (holder?.id === own.id) return;
  throw new DrydockError(
    "ledger.unavailable",
    `The database ${shown} belongs to another home: ${holder?.path} on ${holder?.host}. Its artifacts and keys are there.`,
    "Set DRYDOCK_HOME to that directory, or use another database for this home.",
    { database: shown, reason: "other-home", home },
  );
}

async function readClaim(db: LedgerDatabase): Promise<Claim | undefined> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", KEY).executeTakeFirst();
  return row && (JSON.parse(row.value) as Claim);
}

function readHomeId(home: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, "home-id");
  if (!existsSync(file)) {
    // Two processes may meet here: the first one makes it, and nobody reads half of it.
    const id = randomUUID();
    const unnamed = `${file}.${id}`;
    writeFileSync(unnamed, id, { mode: 0o600 });
    try {
      linkSync(unnamed, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(unnamed, { force: true });
    }
  }
  return readFileSync(file, "utf8");
}
