import { type Kysely, sql } from "kysely";
import { loadLater } from "../../../base/lazy/index.ts";
import type { DatabaseFeatures } from "../features.ts";

const laterWords = loadLater(async () => (await import("./words.ts")).SQLITE_WORDS);

export const SQLITE_FEATURES: DatabaseFeatures = {
  locksRows: false,
  likeAnyCase: "like",
  // By default SQLite stores a table and the index of its key separately, which costs a page more in every commit.
  keyedTable: sql`without rowid`,
  jsonText: (column, field) => sql`json_extract(${column}, ${`$.${field}`})`,
  async hasTable(db, name) {
    const tables = await (db as unknown as Kysely<{ sqlite_master: { type: string; name: string } }>)
      .selectFrom("sqlite_master")
      .select("name")
      .where("type", "=", "table")
      .where("name", "=", name)
      .execute();
    return tables.length > 0;
  },
  migrationSchema: async () => undefined,
  words: {
    create: laterWords((words) => words.create),
    drop: laterWords((words) => words.drop),
    prepareInsert: laterWords((words) => words.prepareInsert),
    removeDocument: laterWords((words) => words.removeDocument),
    search: laterWords((words) => words.search),
  },
};
