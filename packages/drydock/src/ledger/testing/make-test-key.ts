import { generateKeyPairSync } from "node:crypto";
import { createSigningKey, type SigningKey } from "../signing/signing-key.ts";

/** A key of nobody's home. */
export function makeTestKey(): SigningKey {
  return createSigningKey(generateKeyPairSync("ed25519").privateKey);
}
