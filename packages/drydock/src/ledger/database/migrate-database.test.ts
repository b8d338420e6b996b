import { rmSync } from "node:fs";
import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import { addEndedRun, makeHome, openAt } from "../testing/open-test-ledger.ts";
import { databaseOf } from "../testing/postgres/test-databases.ts";
import type { LedgerStore } from "./ledger-store.ts";
import { migrateDatabase, readSchema, THIS_VERSION } from "./migrate-database.ts";
import { openPostgresStore } from "./postgres/open-store.ts";
import { openSqliteStore } from "./sqlite/open-store.ts";

const PLACE = { what: "The ledger", hint: "Use the newer one.", data: {} };
const owner = { ...PLACE, mayBreak: true };
const program = { ...PLACE, mayBreak: false };

const makes = (table: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.createTable(table).addColumn("a", "text").execute();
  },
});
const adding = {
  migrations: { ...THIS_VERSION.migrations, "0098-adds": makes("added") },
  breaking: THIS_VERSION.breaking,
};
const breaking = {
  migrations: { ...adding.migrations, "0099-breaks": makes("broken") },
  breaking: [...adding.breaking, "0099-breaks"],
};

async function openStore(): Promise<LedgerStore & { home: string }> {
  const home = makeHome();
  // It is not used again: its schema is that of no real version.
  const databaseUrl = databaseOf(home, { fresh: true });
  const options = { home, synchronous: "normal" } as const;
  const store = databaseUrl ? await openPostgresStore({ ...options, databaseUrl }) : await openSqliteStore(options);
  onTestFinished(async () => {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { ...store, home };
}

test("a program goes on with a database to which a newer one has only added", async () => {
  const { db, home } = await openStore();
  await migrateDatabase(db, program, adding);
  expect((await readSchema(db, PLACE, adding)).pending).toEqual([]);
  const ledger = await openAt(home);
  await addEndedRun(ledger);
  expect(await ledger.verify()).toMatchObject({ ok: true, runs: 1 });
  await ledger.close();
});

test("a database that a newer program has changed is refused by older ones, and left as it is", async () => {
  const { db, home } = await openStore();
  await migrateDatabase(db, owner, breaking);
  await expect(openAt(home)).rejects.toMatchObject({
    code: "ledger.unavailable",
    data: { reason: "newer", schema: "0099-breaks" },
  });
  await expect(migrateDatabase(db, owner, adding)).rejects.toMatchObject({ data: { schema: "0099-breaks" } });
});

test("what keeps older programs out is not done by a program that only works with the database", async () => {
  const { db } = await openStore();
  const refused = expect.objectContaining({ reason: "older", schema: "0099-breaks" });
  await expect(migrateDatabase(db, program, breaking)).rejects.toMatchObject({
    data: refused,
    hint: expect.stringContaining("drydock db migrate"),
  });
  // Not even the part that breaks nothing.
  expect((await readSchema(db, PLACE, breaking)).pending).toEqual(["0098-adds", "0099-breaks"]);
  await migrateDatabase(db, owner, breaking);
  await migrateDatabase(db, program, breaking);
});

test("two versions that each have what the other lacks do not meet on one database", async () => {
  const { db } = await openStore();
  await migrateDatabase(db, owner, adding);
  const fork = { migrations: { ...THIS_VERSION.migrations, "0097-forks": makes("forked") }, breaking: adding.breaking };
  await expect(migrateDatabase(db, owner, fork)).rejects.toMatchObject({ data: { schema: "0098-adds" } });
});
