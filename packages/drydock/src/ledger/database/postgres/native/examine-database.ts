import { readCopyState } from "../../../copy/copy-state.ts";
import type { DatabaseStatus } from "../../database-status.ts";
import { readSchema } from "../../migrate-database.ts";
import { showAddress } from "../../show-address.ts";
import { toPostgresError } from "../failure.ts";
import { examineServer } from "./examine-server.ts";
import { listMembers } from "./list-members.ts";
import { openPool } from "./open-pool.ts";

/** How a database stands. Nothing is made or changed in it. */
export async function examinePostgres(home: string, databaseUrl: string): Promise<DatabaseStatus> {
  const place = showAddress(databaseUrl);
  const db = openPool({ databaseUrl, synchronous: "normal" }, 1);
  try {
    const { version } = await examineServer(db, place);
    const hint = "Use the newer Drydock for this database.";
    const about = { what: `The ledger in the database ${place}`, hint, data: { database: place } };
    const { applied, pending, breaking } = await readSchema(db, about);
    const isShared = applied.includes("0013-sharing");
    return {
      ...{ place, version: `PostgreSQL ${version}`, schema: applied.at(-1) ?? null, pending, breaking },
      copying: applied.length > 0 && (await readCopyState(db)) !== null,
      members: isShared ? await listMembers(db) : [],
    };
  } catch (error) {
    throw toPostgresError(error, { shown: place, home });
  } finally {
    await db.destroy();
  }
}
