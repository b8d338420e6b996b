import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { DrydockError, type KeyInfo } from "@drydock/protocol";
import { waitForFileLock } from "../../base/locks/index.ts";
import { keepPublicKey, keysDirectory, readPrivateKey, readPublicKeys, writePrivateKey } from "./key-files.ts";
import { createSigningKey, describePublicKey, type SigningKey } from "./signing-key.ts";

const PATIENCE_MS = 10_000;
const SHORT_DIGITS = 16;

/** The keys of one home: one signs, and the public halves of all stay, so that old signatures still verify. */
export interface KeyStore {
  /** The signing key; made on first use. */
  current(): Promise<SigningKey>;
  list(): Promise<KeyInfo[]>;
  /** Makes a new key that signs from now on. The private half of the old one is gone. */
  rotate(): Promise<KeyInfo>;
}

export function createKeyStore(home: string): KeyStore {
  /** Two processes that need a key at once make one. */
  const locked = async <T>(work: () => T): Promise<T> => {
    using _lock = await waitForFileLock(join(keysDirectory(home), "lock"), {
      patienceMs: PATIENCE_MS,
      refuse: () =>
        new DrydockError(
          "ledger.unavailable",
          "Another process is changing the signing key.",
          "Try again in a moment.",
          {},
        ),
    });
    return work();
  };

  const make = (): KeyObject => {
    const { privateKey } = generateKeyPairSync("ed25519");
    writePrivateKey(home, privateKey);
    return privateKey;
  };

  // A process may have ended between the two files: a reader of the first writes the second.
  const take = (privateKey: KeyObject): SigningKey => {
    keepPublicKey(home, createPublicKey(privateKey));
    return createSigningKey(privateKey);
  };

  const list = (): KeyInfo[] => {
    const privateKey = readPrivateKey(home);
    const current = privateKey && take(privateKey).info.id;
    return readPublicKeys(home).map(({ id, key, createdAt }) => ({
      id,
      short: id.slice(0, SHORT_DIGITS),
      current: id === current,
      createdAt,
      publicKey: String(key.export({ type: "spki", format: "pem" })),
    }));
  };

  return {
    async current() {
      const privateKey = readPrivateKey(home);
      return privateKey ? take(privateKey) : locked(() => take(readPrivateKey(home) ?? make()));
    },
    list: async () => list(),
    rotate: () =>
      locked(() => {
        const old = readPrivateKey(home);
        if (old) keepPublicKey(home, createPublicKey(old));
        const { id } = describePublicKey(take(make()).publicKey);
        const made = list().find((key) => key.id === id);
        if (!made)
          throw new DrydockError("internal", "The new key was not written.", "Check the files in DRYDOCK_HOME/keys.");
        return made;
      }),
  };
}
