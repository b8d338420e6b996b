import { DrydockError } from "@drydock/protocol";
import {
  type CopyProgress,
  type CopyResult,
  copyLedger,
  type DatabaseStatus,
  examineDatabase,
  migrateLedger,
} from "../../ledger/index.ts";
import { readConfig } from "../config.ts";
import { makeHome } from "../make-home.ts";

export type { CopyProgress, CopyResult, DatabaseStatus };

/** The ledger's database as a whole, for its owner. None of this opens a dock. */
export interface DatabaseAdministration {
  /** How it stands. Changes nothing. */
  status(): Promise<DatabaseStatus>;
  /** Brings it to this version's schema, also where older programs can't use it any more. Returns what was made. */
  migrate(): Promise<string[]>;
  /** Copies the ledger of the home into the empty database of `DATABASE_URL`. */
  copy(options?: { onProgress?: (progress: CopyProgress) => void }): Promise<CopyResult>;
}

/** Of this process's home and `DATABASE_URL`. */
export function openDatabaseAdministration(): DatabaseAdministration {
  const { home, databaseUrl } = readConfig();
  const place = { home, databaseUrl };
  return {
    status: () => examineDatabase(place),
    async migrate() {
      makeHome(home);
      const { pending } = await examineDatabase(place);
      await migrateLedger(place);
      return pending;
    },
    async copy({ onProgress } = {}) {
      if (databaseUrl === null) {
        throw new DrydockError(
          "input.invalid",
          "There is no database to copy to: DATABASE_URL is not set.",
          "Set it to an empty PostgreSQL database: DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/DATABASE drydock db copy",
        );
      }
      const { schema } = await examineDatabase({ home, databaseUrl: null });
      if (schema === null) {
        throw new DrydockError(
          "input.invalid",
          `There is no ledger to copy in ${home}.`,
          "Set DRYDOCK_HOME to the directory that has one. An empty database needs no copy: it is made ready when it is opened.",
          { home },
        );
      }
      return copyLedger({ home, databaseUrl, onProgress });
    },
  };
}
