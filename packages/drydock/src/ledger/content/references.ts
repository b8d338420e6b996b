import type { LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import type { ContentStore } from "./content-store.ts";

/** Whether any artifact or any layer still needs this content. */
export async function isReferenced(db: LedgerDatabase, sha256: string): Promise<boolean> {
  const artifact = await db.selectFrom("artifacts").select("id").where("sha256", "=", sha256).limit(1).execute();
  if (artifact.length > 0) return true;
  const blob = await db.selectFrom("blob_refs").select("run_id").where("sha256", "=", sha256).limit(1).execute();
  return blob.length > 0;
}

/** Removes the files that no row needs any more. Runs inside the transaction that removed rows. Returns how many. */
export async function removeUnreferenced(
  trx: LedgerTransaction,
  store: ContentStore,
  candidates: Iterable<string>,
): Promise<number> {
  const contents = [...new Set(candidates)].sort();
  if (contents.length === 0) return 0;
  await store.hold(trx, contents);
  const unused: string[] = [];
  for (const sha256 of contents) if (!(await isReferenced(trx, sha256))) unused.push(sha256);
  await store.remove(trx, unused);
  return unused.length;
}
