import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "../features.ts";
import type { LedgerDatabase } from "../schema.ts";

/** A database that several machines share: its members, contents for all of them, and messages about new events. */
export const sharing: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await featuresOf(db as LedgerDatabase).prepareSharing?.(db);
  },
};
