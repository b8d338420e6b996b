import { type Dialect, type Kysely, PostgresAdapter, type PostgresDialectConfig, PostgresIntrospector } from "kysely";
import type { LedgerAdapter } from "../features.ts";
import { LedgerPostgresDriver } from "./driver.ts";
import { POSTGRES_FEATURES } from "./features.ts";
import { LedgerPostgresCompiler } from "./native/query-compiler.ts";

class LedgerPostgresAdapter extends PostgresAdapter implements LedgerAdapter {
  readonly features = POSTGRES_FEATURES;
}

/** Kysely over `pg`. Nearly everything is Kysely's own. */
export function createPostgresDialect(config: PostgresDialectConfig): Dialect {
  return {
    createAdapter: () => new LedgerPostgresAdapter(),
    createDriver: () => new LedgerPostgresDriver(config),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new LedgerPostgresCompiler(),
  };
}
