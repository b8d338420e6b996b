import type { KeyObject } from "node:crypto";
import {
  DsseEnvelope,
  IN_TOTO_PAYLOAD,
  type PublicKeyInfo,
  RECORD_PAYLOAD,
  type ReceiptPart,
  Statement,
} from "@drydock/protocol";
import * as z from "zod";
import { parseJson } from "../../base/text/index.ts";
import { canonicalJson, decodeBase64, isSignedBy, readPublicKey } from "../../ledger/index.ts";

/** What does not fit, and in which line. */
export class ReceiptProblem extends Error {
  readonly part: ReceiptPart;
  readonly line: number;

  constructor(part: ReceiptPart, line: number, message: string) {
    super(message);
    this.part = part;
    this.line = line;
  }
}

/** One line of a receipt, whose signature holds. */
export interface SignedLine {
  line: number;
  payloadType: string;
  payload: Buffer;
  value: unknown;
  keyId: string;
}

/** The key that the reader trusts: itself, or its id. */
export type PinnedKey = { id: string; key?: KeyObject };

const WithKey = z.object({ id: z.string(), spki: z.string() });

/**
 * The lines of a receipt. Every one must be spelled as Drydock spells it, to the byte, so that no change is too small to
 * show: not even one that a reader of JSON or base64 would pass over.
 */
export function openReceipt(bytes: Uint8Array, pinned: PinnedKey | null): SignedLine[] {
  const text = decodeText(bytes);
  if (text.trim() === "") throw new ReceiptProblem("file", 0, "The file is empty.");
  if (!text.endsWith("\n")) throw new ReceiptProblem("file", 0, "The file does not end with a line feed: it was cut.");
  const lines = text.slice(0, -1).split("\n");
  const envelopes = lines.map((line, index) => readEnvelope(line, index + 1));
  const own = findOwnKey(envelopes);
  return envelopes.map((envelope, index) => openEnvelope(envelope, index + 1, own, pinned));
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ReceiptProblem("file", 0, "The file is not UTF-8 text.");
  }
}

function readEnvelope(line: string, number: number): DsseEnvelope {
  const value = parseJson(line);
  const envelope = DsseEnvelope.safeParse(value).data;
  if (!envelope || canonicalJson(value) !== line) {
    throw new ReceiptProblem("file", number, `Line ${number} is not an envelope as Drydock writes it.`);
  }
  if (envelope.payloadType !== IN_TOTO_PAYLOAD && envelope.payloadType !== RECORD_PAYLOAD) {
    throw new ReceiptProblem("payload", number, `Line ${number} is of a type that no receipt has.`);
  }
  return envelope;
}

/** The key that came with the receipt. Nothing vouches for it but itself, until the reader compares it. */
function findOwnKey(envelopes: readonly DsseEnvelope[]): PublicKeyInfo | null {
  for (const { payload, payloadType } of envelopes) {
    if (payloadType !== IN_TOTO_PAYLOAD) continue;
    const statement = Statement.safeParse(parseJson(decodeBase64(payload)?.toString() ?? "")).data;
    const facts = statement?.predicate.drydock as { key?: unknown } | undefined;
    const key = WithKey.safeParse(facts?.key).data;
    if (key) return key;
  }
  return null;
}

function openEnvelope(
  envelope: DsseEnvelope,
  line: number,
  own: PublicKeyInfo | null,
  pinned: PinnedKey | null,
): SignedLine {
  const { payloadType } = envelope;
  const { keyid } = envelope.signatures[0];
  const payload = decodeBase64(envelope.payload);
  if (!payload) throw new ReceiptProblem("payload", line, `The payload of line ${line} is not base64.`);
  if (pinned && keyid !== pinned.id) {
    throw new ReceiptProblem("key", line, `Line ${line} is signed by the key ${keyid}, not by ${pinned.id}.`);
  }
  const key = pinned?.key ?? (own && readPublicKey(own));
  if (!key) {
    throw new ReceiptProblem("key", line, "The receipt holds no Ed25519 public key that fits the id it gives for it.");
  }
  if (!pinned?.key && own?.id !== keyid) {
    throw new ReceiptProblem("key", line, `Line ${line} names the key ${keyid}; the receipt holds ${own?.id}.`);
  }
  if (!isSignedBy(key, envelope)) {
    throw new ReceiptProblem(
      "signature",
      line,
      `The signature of line ${line} does not fit its payload: one of the two was changed.`,
    );
  }
  const value = parseJson(payload.toString());
  if (value === undefined || canonicalJson(value) !== payload.toString()) {
    throw new ReceiptProblem("payload", line, `The payload of line ${line} is not canonical JSON.`);
  }
  return { line, payloadType, payload, value, keyId: keyid };
}
