import { afterAll } from "vitest";
import { makeHome } from "../../src/ledger/testing/open-test-ledger.ts";
import { databaseOf } from "../../src/ledger/testing/postgres/test-databases.ts";

/**
 * For suites that were written for a home's own ledger, on PostgreSQL: all docks of a file, and the programs that it starts,
 * share one new database, as machines do.
 */
process.env.DATABASE_URL = databaseOf(makeHome(), { fresh: true }) ?? "";
afterAll(() => {
  process.env.DATABASE_URL = "";
});
