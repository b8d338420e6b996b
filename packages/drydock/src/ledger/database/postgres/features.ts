import { sql } from "kysely";
import type { DatabaseFeatures } from "../features.ts";
import { prepareSharing } from "./native/prepare-sharing.ts";
import { POSTGRES_WORDS } from "./words.ts";

export const POSTGRES_FEATURES: DatabaseFeatures = {
  locksRows: true,
  async lockTable(trx, name) {
    await sql`lock table ${sql.table(name)} in share row exclusive mode`.execute(trx);
  },
  likeAnyCase: "ilike",
  keyedTable: sql``,
  jsonText: (column, field) => sql`(${column}::json ->> ${field})`,
  async hasTable(db, name) {
    const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
    return rows[0]?.found === true;
  },
  async migrationSchema(db) {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
    return rows[0]?.name;
  },
  prepareSharing,
  words: POSTGRES_WORDS,
};
