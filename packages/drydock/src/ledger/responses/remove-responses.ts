import type { ArtifactRef } from "@drydock/protocol";
import type { ContentStore } from "../content/content-store.ts";
import { removeUnreferenced } from "../content/references.ts";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction } from "../database/schema.ts";

type Removable = { id: string; artifact: string | null };

const selectExpired = defineQuery<{ now: string; limit: number }, Removable>((db, p) =>
  db.selectFrom("responses").select(["id", "artifact"]).where("expires_at", "<=", p("now")).limit(p("limit")),
);

/** At most `limit` of those whose time is over, oldest or not. Returns how many there were. */
export async function removeExpired(
  trx: LedgerTransaction,
  store: ContentStore,
  now: Date,
  limit: number,
): Promise<number> {
  return removeAll(trx, store, await selectExpired(trx, { now: now.toISOString(), limit }));
}

export async function removeSession(trx: LedgerTransaction, store: ContentStore, session: string): Promise<number> {
  const rows = await trx.selectFrom("responses").select(["id", "artifact"]).where("session", "=", session).execute();
  return removeAll(trx, store, rows);
}

/** With the artifacts that hold their whole content. That there was a response stays on record in its run. */
async function removeAll(trx: LedgerTransaction, store: ContentStore, rows: readonly Removable[]): Promise<number> {
  const content: string[] = [];
  for (const { id, artifact } of rows) {
    await trx.deleteFrom("responses").where("id", "=", id).execute();
    if (artifact === null) continue;
    const reference = JSON.parse(artifact) as ArtifactRef;
    await trx.deleteFrom("artifacts").where("id", "=", reference.id).execute();
    content.push(reference.sha256);
  }
  await removeUnreferenced(trx, store, content);
  return rows.length;
}
