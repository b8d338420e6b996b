import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import type { PublicKeyInfo } from "@drydock/protocol";

/** A key that signs. The private half stays in the closure: there is no field that a log or an error could print. */
export interface SigningKey {
  readonly info: PublicKeyInfo;
  readonly publicKey: KeyObject;
  sign(bytes: Uint8Array): Buffer;
}

export function createSigningKey(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  return { info: describePublicKey(publicKey), publicKey, sign: (bytes) => sign(null, bytes, privateKey) };
}

export function describePublicKey(publicKey: KeyObject): PublicKeyInfo {
  const spki = publicKey.export({ type: "spki", format: "der" });
  return { id: hash("sha256", spki, "hex"), spki: spki.toString("base64") };
}

/** Null for anything but one Ed25519 public key whose id is what it says. */
export function readPublicKey({ id, spki }: PublicKeyInfo): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(spki, "base64"), type: "spki", format: "der" });
    const found = describePublicKey(key);
    return key.asymmetricKeyType === "ed25519" && found.id === id && found.spki === spki ? key : null;
  } catch {
    return null;
  }
}

export function isSignature(publicKey: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, bytes, publicKey, signature);
}
