import { createPublicKey } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import type { PinnedKey } from "../../engine/index.ts";
import { describePublicKey } from "../../ledger/index.ts";

/** A key that the reader trusts: its id, or itself as PEM. A shortened id is for the eye only. */
export function readPinnedKey(text: string): PinnedKey {
  const id = /^\s*([0-9a-f]{64})\s*$/i.exec(text)?.[1];
  if (id !== undefined) return { id: id.toLowerCase() };
  try {
    // A private key would do as well, and has no business here.
    if (text.includes("PRIVATE KEY")) throw new Error("private");
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "ed25519") return { id: describePublicKey(key).id, key };
  } catch {
    // The error below does not repeat the input.
  }
  throw new DrydockError(
    "input.invalid",
    "The key can't be read: it is neither an Ed25519 public key as PEM nor the 64 digits of a key's id.",
    "`drydock keys export` prints the public key of a home, `drydock keys list` its id.",
  );
}
