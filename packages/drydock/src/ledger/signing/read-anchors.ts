import type { KeyObject } from "node:crypto";
import {
  type AuditHead,
  DrydockError,
  DsseEnvelope,
  HEAD_PAYLOAD,
  IN_TOTO_PAYLOAD,
  ReceiptFacts,
  SignedHead,
  Statement,
} from "@drydock/protocol";
import { parseJson } from "../../base/text/index.ts";
import { decodeBase64, isSignedBy } from "./dsse.ts";

/** A head that was kept elsewhere: signed, or only its hash. */
export interface Anchor {
  position: number | null;
  hash: string;
  at: string | null;
  keyId: string | null;
  /** Why its signature counts for nothing; null where it does, or where there is none to look at. */
  problem: string | null;
}

/** Who signed, and what head: what an anchor and a receipt have in common. */
interface SignedEntry {
  head: AuditHead;
  at: string;
  keyId: string;
}

/** The heads in a file of anchors or receipts, one envelope a line; or a single hash. */
export function readAnchors(text: string, keys: ReadonlyMap<string, KeyObject>): Anchor[] {
  const hash = /^\s*([0-9a-f]{64})\s*$/i.exec(text)?.[1];
  if (hash !== undefined) {
    return [{ position: null, hash: hash.toLowerCase(), at: null, keyId: null, problem: null }];
  }
  const lines = text.split("\n").map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const anchors = lines.filter(({ line }) => line !== "").flatMap(({ line, number }) => readLine(line, number, keys));
  if (anchors.length > 0) return anchors;
  throw unreadable("It holds no signed head.");
}

function readLine(line: string, number: number, keys: ReadonlyMap<string, KeyObject>): Anchor[] {
  const envelope = DsseEnvelope.safeParse(parseJson(line)).data;
  // What still looks like an envelope was one.
  if (!envelope && /"(payload|payloadType|signatures)"/.test(line)) return [changed(number)];
  if (!envelope) throw unreadable(`Line ${number} is not a signed head.`);
  const entry = readEntry(envelope);
  // A record beside a receipt says nothing about the chain.
  if (entry === undefined) return [];
  if (entry === null) {
    const key = keys.get(envelope.signatures[0].keyid);
    if (!key || !isSignedBy(key, envelope)) return [changed(number)];
    throw unreadable(`Line ${number} is signed, but holds no head.`);
  }
  const { head, at, keyId } = entry;
  return [{ position: head.position, hash: head.hash, at, keyId, problem: findProblem(envelope, keyId, keys) }];
}

/** The head of this anchor is unknown. */
function changed(number: number): Anchor {
  const problem = `Line ${number} can't be read as the signed head that it was: the anchor was changed.`;
  return { position: null, hash: "", at: null, keyId: null, problem };
}

function findProblem(envelope: DsseEnvelope, keyId: string, keys: ReadonlyMap<string, KeyObject>): string | null {
  const key = keys.get(keyId);
  if (!key || envelope.signatures[0].keyid !== keyId) {
    return `It is signed by the key ${envelope.signatures[0].keyid}, which is not a key of this ledger: its home was replaced, or its keys were lost.`;
  }
  return isSignedBy(key, envelope) ? null : "Its signature does not fit: the anchor was changed.";
}

/** Undefined: of another kind. Null: of this kind, and not readable. */
function readEntry({ payload, payloadType }: DsseEnvelope): SignedEntry | null | undefined {
  const value = parseJson(decodeBase64(payload)?.toString() ?? "");
  if (payloadType === HEAD_PAYLOAD) {
    const head = SignedHead.safeParse(value).data;
    return head ? { head, at: head.at, keyId: head.key.id } : null;
  }
  if (payloadType !== IN_TOTO_PAYLOAD) return undefined;
  const facts = ReceiptFacts.safeParse(Statement.safeParse(value).data?.predicate.drydock).data;
  return facts ? { head: facts.ledger, at: facts.signedAt, keyId: facts.key.id } : null;
}

function unreadable(reason: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The value of --expect can't be read. ${reason}`,
    "Give a file that `drydock audit anchor` wrote, a receipt, or the hash of a head.",
  );
}
