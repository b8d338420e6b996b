import * as z from "zod";
import { CheckVerdict } from "../check.ts";
import { VERDICTS } from "../run/event-types.ts";
import { AuditHead, Run, RunEvent, RunKind } from "../run/run.ts";
import { CheckSource, ControlEvidence, StrengthEvidence, TestEvidence } from "./proof.ts";
import { STATEMENT_TYPE } from "./receipt-types.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();

/** DSSE, with one signature: `sig` is Ed25519 over the payload's pre-authentication encoding. */
export const DsseEnvelope = z.strictObject({
  payload: text.describe("What is signed, in base64."),
  payloadType: text.describe("Media type of what is signed."),
  signatures: z
    .tuple([
      z.strictObject({
        keyid: sha256.describe("Id of the key: the SHA-256 of its public half."),
        sig: text.describe("Ed25519 signature in base64."),
      }),
    ])
    .describe("Exactly one signature."),
});
export type DsseEnvelope = z.infer<typeof DsseEnvelope>;

/** `id` is the SHA-256 of `spki`, which is the public key as DER, in base64. */
export const PublicKeyInfo = z.object({ id: sha256, spki: text });
export type PublicKeyInfo = z.infer<typeof PublicKeyInfo>;

/** What `drydock audit anchor` signs. */
export const SignedHead = z.object({ ...AuditHead.shape, at: text, key: PublicKeyInfo });
export type SignedHead = z.infer<typeof SignedHead>;

/** One check of a receipt. What it printed is not here; `evidenceSha256` is the hash of that, as canonical JSON. */
export const ReceiptCheck = z.object({
  label: text,
  type: text,
  verdict: CheckVerdict,
  code: text,
  reason: text,
  source: CheckSource,
  implied: z.boolean(),
  alsoPassesBefore: z.boolean().nullable(),
  /**
   * Whether it shows that the change does something; null if that was not checked. If it passes and does not: the
   * reason is in `doubt`.
   */
  proves: z.boolean().nullable().default(null),
  doubt: text.nullable().default(null),
  /** A person declared that passing it is proof enough. */
  sufficient: z.boolean().default(false),
  /** The hash of the check's definition, as canonical JSON. */
  checkSha256: sha256,
  evidenceSha256: sha256,
  tests: TestEvidence.nullable(),
  control: ControlEvidence.nullable(),
  strength: StrengthEvidence.nullable(),
});
export type ReceiptCheck = z.infer<typeof ReceiptCheck>;

/** The extension field `drydock` of every predicate of a receipt. */
export const ReceiptFacts = z.object({
  version: z.literal(1),
  drydockVersion: text,
  signedAt: text,
  key: PublicKeyInfo,
  run: z.object({
    id: text,
    kind: RunKind,
    title: text,
    createdAt: text,
    endedAt: text,
    /** How many events the run had when it was signed, and the hash of the last one. */
    events: z.number().int(),
    headHash: sha256,
  }),
  /** The end of the ledger's chain when it was signed: the run lies before it. */
  ledger: AuditHead,
  policySha256: sha256,
  verdict: z.enum(VERDICTS),
  reason: text,
  /** The tree before the change; null where no change was judged. */
  baseHash: z.string().nullable(),
  treeHash: z.string(),
  /** Where the verified tree went; null where it was not delivered. */
  delivered: z.object({ at: text, branch: text.nullable(), commit: text.nullable() }).nullable(),
  /** The hash of the record's payload, where the receipt has one. */
  recordSha256: sha256.nullable(),
});
export type ReceiptFacts = z.infer<typeof ReceiptFacts>;

const digest = z.record(z.string(), z.string());
export const Statement = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ name: text, digest })).min(1),
  predicateType: text,
  predicate: z.record(z.string(), z.unknown()),
});
export type Statement = z.infer<typeof Statement>;

export const TestResultPredicate = z.object({
  result: z.enum(["PASSED", "WARNED", "FAILED"]),
  configuration: z.array(z.object({ name: text, digest })),
  passedTests: z.array(text),
  warnedTests: z.array(text),
  failedTests: z.array(text),
  drydock: ReceiptFacts.extend({ checks: z.array(ReceiptCheck) }),
});
export type TestResultPredicate = z.infer<typeof TestResultPredicate>;

export const VerificationPredicate = z.object({
  verifier: z.object({ id: text, policy: z.object({ digest }), version: z.object({ drydock: text }) }),
  timeCreated: text,
  properties: z.array(text),
  drydock: ReceiptFacts,
});
export type VerificationPredicate = z.infer<typeof VerificationPredicate>;

export const RecordEntry = z.object({
  path: text,
  type: z.enum(["file", "directory", "symlink"]),
  mode: z.number().int().min(0).max(0o777),
  sha256: sha256.optional(),
  target: text.optional(),
});
export type RecordEntry = z.infer<typeof RecordEntry>;

/** What is needed to execute a run again elsewhere. */
export const RunRecord = z.object({
  version: z.literal(1),
  run: Run,
  events: z.array(RunEvent),
  /** By SHA-256, in base64. */
  contents: z.record(sha256, z.string()),
  /** The directory that the run began with; null where `baseMissing` says why it is not here. */
  base: z.object({ treeHash: text, entries: z.array(RecordEntry) }).nullable(),
  baseMissing: text.nullable(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Which part of a receipt does not fit. */
export const ReceiptPart = z.enum(["file", "payload", "signature", "key", "subject", "record"]);
export type ReceiptPart = z.infer<typeof ReceiptPart>;

/** What a receipt proves, computed from nothing but the receipt. */
export const ReceiptReport = z.object({
  /** Whole, its checks passed, and what the reader compared it with fits. */
  ok: z.boolean(),
  whole: z.boolean(),
  /** Whether the reader's directory is the tree that was judged. Only if the request names one. */
  sameTree: z.boolean().optional(),
  problem: z.object({ part: ReceiptPart, line: z.number().int(), message: text }).nullable(),
  /** `pinned`: the reader named this key; otherwise it is the receipt's own word. */
  key: z.object({ id: text, pinned: z.boolean() }).nullable(),
  statements: z.array(text),
  subject: Statement.shape.subject,
  facts: ReceiptFacts.nullable(),
  checks: z.array(ReceiptCheck),
  properties: z.array(text),
  record: z
    .object({ events: z.number().int(), contents: z.number().int(), base: z.boolean(), baseMissing: text.nullable() })
    .nullable(),
});
export type ReceiptReport = z.infer<typeof ReceiptReport>;

export const KeyInfo = z.object({
  id: sha256,
  /** For people to compare at a glance; not enough to trust. */
  short: text,
  /** Whether it signs; the others are kept so that what they signed can still be verified. */
  current: z.boolean(),
  createdAt: text,
  /** PEM. */
  publicKey: text,
});
export type KeyInfo = z.infer<typeof KeyInfo>;
