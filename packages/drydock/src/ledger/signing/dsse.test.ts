import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { verifyWithOpenssl } from "../testing/verify-with-openssl.ts";
import { decodeBase64, encodeForSigning, isSignedBy, signEnvelope } from "./dsse.ts";
import { createSigningKey, readPublicKey } from "./signing-key.ts";

const key = createSigningKey(generateKeyPairSync("ed25519").privateKey);
const pem = String(key.publicKey.export({ type: "spki", format: "pem" }));

it("encodes as the specification's test vector says, and counts bytes", () => {
  const encoded = encodeForSigning("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(encoded.toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(encodeForSigning("é", Buffer.from("ü€")).toString()).toBe("DSSEv1 2 é 5 ü€");
});

it("signs what a verifier that is not ours accepts, and nothing else", () => {
  const envelope = signEnvelope(key, "application/x-test", { text: "ü€", list: [1, 2], empty: {} });
  const other = verifyWithOpenssl(JSON.stringify(envelope), pem);
  expect(other).toEqual({ valid: true, payload: '{"empty":{},"list":[1,2],"text":"ü€"}' });
  const wrong = { ...envelope, payloadType: "application/x-tesT" };
  expect(verifyWithOpenssl(JSON.stringify(wrong), pem).valid).toBe(false);
  expect(isSignedBy(key.publicKey, envelope)).toBe(true);
  expect(isSignedBy(key.publicKey, wrong)).toBe(false);
});

it("does not verify with another key, or a public key under a wrong id", () => {
  const envelope = signEnvelope(key, "application/x-test", {});
  const other = createSigningKey(generateKeyPairSync("ed25519").privateKey);
  expect(isSignedBy(other.publicKey, envelope)).toBe(false);
  expect(readPublicKey(key.info)).not.toBeNull();
  expect(readPublicKey({ ...key.info, id: other.info.id })).toBeNull();
  const { publicKey } = generateKeyPairSync("x25519");
  const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  expect(readPublicKey({ id: key.info.id, spki })).toBeNull();
});

it("takes base64 only as it is spelled", () => {
  expect(decodeBase64("aGVsbG8=")?.toString()).toBe("hello");
  for (const text of ["aGVsbG8", "aGVsbG9=", " aGVsbG8=", "aGVs-G8=", "aGVsbG8=="])
    expect(decodeBase64(text)).toBeNull();
});
