import { type DsseEnvelope, HEAD_PAYLOAD, type SignedHead } from "@drydock/protocol";
import { readChainEnd } from "../chain/append-head.ts";
import { canonicalJson } from "../chain/canonical-json.ts";
import { HEADS_GENESIS } from "../chain/hash-entries.ts";
import type { LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { signEnvelope } from "./dsse.ts";
import { openKeys } from "./open-keys.ts";
import type { SigningKey } from "./signing-key.ts";

/** Under this key `meta` holds the last head that was signed. The audit compares it with the chain. */
const SIGNED_HEAD = "signed-head";

export interface HeadSignature {
  head: SignedHead;
  envelope: DsseEnvelope;
}

/** Signs the end of the chain as it is now, and keeps the signature in the ledger as well. */
export async function signHead(context: LedgerContext): Promise<HeadSignature> {
  const key = await openKeys(context).current();
  return write(context, (trx) => signHeadWithin(trx, key, context.now()));
}

/** The same inside a transaction that changes the chain. */
export async function signHeadWithin(trx: LedgerTransaction, key: SigningKey, at: Date): Promise<HeadSignature> {
  const { position, hash } = await findEnd(trx);
  const head: SignedHead = { position, hash, at: at.toISOString(), key: key.info };
  const envelope = signEnvelope(key, HEAD_PAYLOAD, head);
  const value = canonicalJson(envelope);
  await trx
    .insertInto("meta")
    .values({ key: SIGNED_HEAD, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
  return { head, envelope };
}

/** The text of the envelope that was kept last; undefined where nothing was signed yet. */
export async function readSignedHead(db: LedgerDatabase): Promise<string | undefined> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", SIGNED_HEAD).executeTakeFirst();
  return row?.value;
}

async function findEnd(db: LedgerDatabase): Promise<{ position: number; hash: string }> {
  const end = await readChainEnd(db);
  if (typeof end !== "string") return end;
  // The record of the end was removed or changed, which the audit reports; what is signed is what is there.
  const last = await db.selectFrom("heads").select(["position", "hash"]).orderBy("position", "desc").executeTakeFirst();
  return last ?? { position: 0, hash: HEADS_GENESIS };
}
