import type { KeyObject } from "node:crypto";
import type { DsseEnvelope } from "@drydock/protocol";
import { canonicalJson } from "../chain/canonical-json.ts";
import { isSignature, type SigningKey } from "./signing-key.ts";

/** The bytes that a DSSE signature covers: `DSSEv1 LENGTH TYPE LENGTH PAYLOAD`, lengths in bytes. */
export function encodeForSigning(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** The value as canonical JSON, signed, in an envelope. */
export function signEnvelope(key: SigningKey, payloadType: string, value: unknown): DsseEnvelope {
  const payload = Buffer.from(canonicalJson(value));
  const sig = key.sign(encodeForSigning(payloadType, payload)).toString("base64");
  return { payload: payload.toString("base64"), payloadType, signatures: [{ keyid: key.info.id, sig }] };
}

export function isSignedBy(publicKey: KeyObject, { payload, payloadType, signatures }: DsseEnvelope): boolean {
  const [bytes, signature] = [decodeBase64(payload), decodeBase64(signatures[0].sig)];
  if (!bytes || !signature) return false;
  return isSignature(publicKey, encodeForSigning(payloadType, bytes), signature);
}

/** Null for what is not exactly how the bytes are spelled: Node would skip whatever it does not know. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}
