import type { LedgerDatabase } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import type { ContentStore } from "./content-store.ts";
import { isReferenced, removeUnreferenced } from "./references.ts";

/** A file that no row names may belong to a transaction under way; older than this, it was left by a crash. */
const STRAY_AGE_MS = 60 * 60 * 1000;

/** Removes the artifacts whose time is over, their files where nothing else needs them, and what crashes left behind. */
export async function expireArtifacts(
  context: LedgerContext,
  store: ContentStore,
  now: Date,
): Promise<{ artifacts: number; files: number }> {
  const { artifacts, files } = await write(context, async (trx) => {
    const expired = await trx
      .selectFrom("artifacts")
      .select("sha256")
      .where("expires_at", "<=", now.toISOString())
      .execute();
    if (expired.length === 0) return { artifacts: 0, files: 0 };
    await trx.deleteFrom("artifacts").where("expires_at", "<=", now.toISOString()).execute();
    const removed = await removeUnreferenced(
      trx,
      store,
      expired.map((row) => row.sha256),
    );
    return { artifacts: expired.length, files: removed };
  });
  const before = new Date(Date.now() - STRAY_AGE_MS);
  store.clearStaging(before);
  const strays = await read(context, async (db) => findStrays(db, await store.listOld(before)));
  const cleared = strays.length === 0 ? 0 : await write(context, (trx) => removeUnreferenced(trx, store, strays));
  return { artifacts, files: files + cleared };
}

async function findStrays(db: LedgerDatabase, candidates: readonly string[]): Promise<string[]> {
  const strays: string[] = [];
  for (const sha256 of candidates) if (!(await isReferenced(db, sha256))) strays.push(sha256);
  return strays;
}
