import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Runs that workers carry out: only the claim that holds one writes to it. */
export const claims: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("runs")
      .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
