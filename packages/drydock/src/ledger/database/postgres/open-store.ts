import { DrydockError } from "@drydock/protocol";
import { readCopyState } from "../../copy/copy-state.ts";
import type { LedgerStore } from "../ledger-store.ts";
import { migrateDatabase } from "../migrate-database.ts";
import { showAddress } from "../show-address.ts";
import { toPostgresError } from "./failure.ts";
import { measureFreeSpace, measureServer, reclaimSpace } from "./free-space.ts";
import { asServer, examineServer } from "./native/examine-server.ts";
import { createMembers, joinMembers, readHomeId } from "./native/join-members.ts";
import { connectTo, openPool } from "./native/open-pool.ts";
import { repeatConflicts } from "./native/repeat-conflicts.ts";
import { createPostgresContents } from "./native/shared-contents.ts";
import { createListener } from "./watch-runs.ts";

interface PostgresOptions {
  home: string;
  databaseUrl: string;
  synchronous: "normal" | "full";
  mayBeUnwritable?: boolean;
  /** For `drydock db migrate`: older programs may be kept out from now on. */
  mayBreak?: boolean;
  /** For the copy itself: nobody else opens a database that a copy is being made in. */
  mayCopy?: boolean;
}

const CONNECTIONS = 8;

/** The ledger of a PostgreSQL database, which homes on several machines may share; private keys stay in each home. */
export async function openPostgresStore(options: PostgresOptions): Promise<LedgerStore> {
  const { home } = options;
  const shown = showAddress(options.databaseUrl);
  const toError = (error: unknown) => toPostgresError(error, { shown, home });
  const db = openPool(options, CONNECTIONS);
  try {
    const { isReadOnly, version } = await examineServer(db, shown);
    if (isReadOnly && !options.mayBeUnwritable) throw asServer("25006", "the server is read-only");
    const what = `The ledger in the database ${shown}`;
    const hint = "Use the newer Drydock for this database, or another database for this one.";
    await migrateDatabase(db, { what, hint, data: { database: shown }, mayBreak: options.mayBreak === true });
    if (!options.mayCopy && (await readCopyState(db))) throw halfCopied(shown);
    const now = () => new Date();
    const members = isReadOnly ? createMembers(db, readHomeId(home), now) : await joinMembers(db, home, now);
    const watcher = createListener(connectTo(options));
    const close = async () => {
      await watcher.close();
      await db.destroy();
    };
    return {
      db,
      isReadOnly,
      ...{ isShared: true, members, watcher, contents: createPostgresContents(db, shown, now) },
      place: shown,
      version: `PostgreSQL ${version}`,
      repeat: repeatConflicts,
      toError,
      openSnapshot: () => openPool(options, 1),
      measureServer: () => measureServer(db),
      measureFreeSpace,
      reclaimSpace: () => reclaimSpace(db),
      close,
      leave: close,
    };
  } catch (error) {
    await db.destroy();
    throw toError(error);
  }
}

function halfCopied(shown: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `A copy into the database ${shown} is under way, or was stopped in the middle.`,
    "Wait for it, or run `drydock db copy` again: it goes on where it was.",
    { database: shown, reason: "copying" },
  );
}
