import { hash } from "node:crypto";
import {
  IN_TOTO_PAYLOAD,
  RECORD_PAYLOAD,
  type ReceiptFacts,
  type ReceiptReport,
  type RunRecord,
  Statement,
  TEST_RESULT,
  TestResultPredicate,
  VERIFICATION_RESULT,
  VerificationPredicate,
} from "@drydock/protocol";
import { canonicalJson } from "../../ledger/index.ts";
import { DRYDOCK_TREE, findProperties } from "./build-statements.ts";
import { openReceipt, type PinnedKey, ReceiptProblem, type SignedLine } from "./open-receipt.ts";
import { readRecord } from "./read-record.ts";

export interface VerifiedReceipt {
  report: ReceiptReport;
  /** What the run can be executed from again; null where the receipt has none, or is not whole. */
  record: RunRecord | null;
}

const NOTHING = { statements: [], subject: [], facts: null, checks: [], properties: [], record: null };

/** What a receipt proves, from nothing but its bytes and, where the reader has it, the key. Never throws for bad bytes. */
export function verifyReceipt(bytes: Uint8Array, pinned: PinnedKey | null = null): VerifiedReceipt {
  try {
    return verifyLines(openReceipt(bytes, pinned), pinned);
  } catch (error) {
    if (!(error instanceof ReceiptProblem)) throw error;
    const { part, line, message } = error;
    const report = { ...NOTHING, ok: false, whole: false, problem: { part, line, message }, key: null };
    return { report, record: null };
  }
}

function verifyLines(lines: readonly SignedLine[], pinned: PinnedKey | null): VerifiedReceipt {
  const statements = lines.filter(({ payloadType }) => payloadType === IN_TOTO_PAYLOAD).map(readStatement);
  const tested = requireOne(statements, TEST_RESULT);
  const predicate = TestResultPredicate.safeParse(tested.statement.predicate).data;
  if (!predicate)
    throw new ReceiptProblem("payload", tested.line, `Line ${tested.line} is not a complete test result.`);
  const { checks, ...facts } = predicate.drydock;
  verifySubject(tested, facts);
  if (predicate.result !== (facts.verdict === "passed" ? "PASSED" : "FAILED")) {
    throw new ReceiptProblem("payload", tested.line, `The result ${predicate.result} is not the verdict's.`);
  }
  if (facts.key.id !== lines[0]?.keyId) {
    throw new ReceiptProblem("key", tested.line, `Line ${tested.line} names another key than the one that signed it.`);
  }
  const properties = findProperties(facts, checks);
  verifySummary(statements, tested, facts, properties);
  const record = verifyRecord(lines, facts);
  const report: ReceiptReport = {
    ok: facts.verdict === "passed",
    whole: true,
    problem: null,
    key: { id: facts.key.id, pinned: pinned !== null },
    statements: statements.map(({ statement }) => statement.predicateType),
    subject: tested.statement.subject,
    facts,
    checks,
    properties,
    record: record && {
      events: record.events.length,
      contents: Object.keys(record.contents).length,
      base: record.base !== null,
      baseMissing: record.baseMissing,
    },
  };
  return { report, record };
}

interface ReadStatement {
  line: number;
  statement: Statement;
}

function readStatement({ line, value }: SignedLine): ReadStatement {
  const statement = Statement.safeParse(value).data;
  const known = statement && [TEST_RESULT, VERIFICATION_RESULT].includes(statement.predicateType);
  if (!known) throw new ReceiptProblem("payload", line, `Line ${line} is not a statement that a receipt holds.`);
  return { line, statement };
}

function requireOne(statements: readonly ReadStatement[], predicateType: string): ReadStatement {
  const [only, other] = statements.filter(({ statement }) => statement.predicateType === predicateType);
  if (only && !other) return only;
  const line = other?.line ?? 0;
  const count = other ? "more than one" : "no";
  throw new ReceiptProblem("payload", line, `The receipt holds ${count} statement ${predicateType}.`);
}

function verifySubject({ line, statement }: ReadStatement, { treeHash }: ReceiptFacts): void {
  const named = statement.subject.map(({ digest }) => digest[DRYDOCK_TREE]).filter((hash) => hash !== undefined);
  if (named.length === 1 && named[0] === treeHash) return;
  throw new ReceiptProblem("subject", line, `The subject of line ${line} is not the tree ${treeHash} that was judged.`);
}

/** The summary says the same about the same, and is there exactly where the checks passed. */
function verifySummary(
  statements: readonly ReadStatement[],
  tested: ReadStatement,
  facts: ReceiptFacts,
  properties: readonly string[],
): void {
  if (facts.verdict !== "passed") {
    const other = statements.find(({ statement }) => statement.predicateType === VERIFICATION_RESULT);
    if (!other) return;
    throw new ReceiptProblem("payload", other.line, `Line ${other.line} says that checks passed which did not.`);
  }
  const { line, statement } = requireOne(statements, VERIFICATION_RESULT);
  const summary = VerificationPredicate.safeParse(statement.predicate).data;
  if (canonicalJson(statement.subject) !== canonicalJson(tested.statement.subject)) {
    throw new ReceiptProblem("subject", line, `Line ${line} is about another subject than line ${tested.line}.`);
  }
  const isSame = canonicalJson([summary?.drydock, summary?.properties]) === canonicalJson([facts, properties]);
  if (!isSame) throw new ReceiptProblem("payload", line, `Line ${line} says something else than line ${tested.line}.`);
}

function verifyRecord(lines: readonly SignedLine[], facts: ReceiptFacts): RunRecord | null {
  const [only, other] = lines.filter(({ payloadType }) => payloadType === RECORD_PAYLOAD);
  if (other) throw new ReceiptProblem("record", other.line, "The receipt holds more than one record.");
  if (facts.recordSha256 === null) {
    if (!only) return null;
    throw new ReceiptProblem("record", only.line, "The receipt holds a record that its statements do not name.");
  }
  if (!only) throw new ReceiptProblem("record", 0, "The record that the statements name is missing.");
  if (hash("sha256", only.payload, "hex") !== facts.recordSha256) {
    throw new ReceiptProblem("record", only.line, "The record is another than the one that the statements name.");
  }
  return readRecord(only, facts);
}
