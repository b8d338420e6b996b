import type { KeyObject } from "node:crypto";
import type { LedgerDatabase } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";
import { readPublicKeys } from "./key-files.ts";
import { createKeyStore, type KeyStore } from "./key-store.ts";
import { readPublicKey } from "./signing-key.ts";

/** This home's keys. Where other machines use the ledger, too, they know the key before anything is signed with it. */
export function openKeys({ home, store }: Pick<LedgerContext, "home" | "store">): KeyStore {
  const keys = createKeyStore(home);
  const { members } = store;
  if (!members) return keys;
  return {
    list: keys.list,
    async current() {
      const key = await keys.current();
      await members.addKey(key.info).catch((error: unknown) => {
        throw store.toError(error);
      });
      return key;
    },
    rotate: keys.rotate,
  };
}

/** Whose signatures count: this home's keys, and those of all members of a shared database. */
export async function listTrustedKeys(
  { home, store }: Pick<LedgerContext, "home" | "store">,
  db: LedgerDatabase,
): Promise<Map<string, KeyObject>> {
  const trusted = new Map<string, KeyObject>();
  for (const info of (await store.members?.listKeys(db)) ?? []) {
    const key = readPublicKey(info);
    if (key) trusted.set(info.id, key);
  }
  for (const { id, key } of readPublicKeys(home)) trusted.set(id, key);
  return trusted;
}
