import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CheckResult,
  IN_TOTO_PAYLOAD,
  RECORD_PAYLOAD,
  type ReceiptFacts,
  type RunRecord,
} from "@drydock/protocol";
import { canonicalJson, openLedger, readOwner, type SigningKey, signEnvelope } from "../../../ledger/index.ts";
import { makeTestKey } from "../../../ledger/testing/make-test-key.ts";
import { NO_SECRETS } from "../../../ledger/testing/open-test-ledger.ts";
import { buildStatements, hashValue } from "../build-statements.ts";

export const TREE = "ab".repeat(32);

export const CHECK: CheckResult = {
  type: "command",
  name: "add adds",
  verdict: "passed",
  reason: "It ended with status 0.",
  code: "passed",
  evidence: { stdout: "1 passed" },
  durationMs: 12,
  treeHash: TREE,
  check: { type: "command", cmd: "pytest -q", name: "add adds" },
  alsoPassesBefore: false,
  source: "user",
};

export interface Sample {
  key: SigningKey;
  facts: ReceiptFacts;
  record: RunRecord;
}

/** A run with real, chained events, and what a receipt says about it. */
export async function makeSample(): Promise<Sample> {
  const home = mkdtempSync(join(tmpdir(), "drydock-receipt-"));
  const ledger = await openLedger({ home, redactor: NO_SECRETS, owner: readOwner() });
  try {
    const { id } = await ledger.createRun({ kind: "goal", title: "Make add() add", data: { policy: { version: 1 } } });
    await ledger.append(id, [{ type: "check.finished", data: { ...CHECK } }]);
    await ledger.finish(id, { type: "run.succeeded", data: { verdict: "passed", treeHash: TREE } });
    const [run, events] = [await ledger.getRun(id), await ledger.events(id)];
    if (!run) throw new Error("the run is missing");
    const content = Buffer.from("def add(a, b): return a + b\n");
    const sha256 = (await ledger.blobs.put(content, { runId: id })).sha256;
    const record: RunRecord = {
      version: 1,
      run,
      events,
      contents: { [sha256]: content.toString("base64") },
      base: { treeHash: TREE, entries: [{ path: "calc.py", type: "file", mode: 0o644, sha256 }] },
      baseMissing: null,
    };
    const key = makeTestKey();
    const { head } = await ledger.verify();
    const facts: ReceiptFacts = {
      version: 1,
      drydockVersion: "0.1.0",
      signedAt: "2026-11-16T12:00:00.000Z",
      key: key.info,
      run: {
        id,
        kind: "goal",
        title: run.title,
        createdAt: run.createdAt,
        endedAt: run.endedAt ?? "",
        events: events.length,
        headHash: run.headHash,
      },
      ledger: head ?? { position: 0, hash: "" },
      policySha256: hashValue({ version: 1 }),
      verdict: "passed",
      reason: "All checks of all tasks pass on the whole result.",
      baseHash: "cd".repeat(32),
      treeHash: TREE,
      delivered: null,
      recordSha256: null,
    };
    return { key, facts, record };
  } finally {
    await ledger.close();
    rmSync(home, { recursive: true, force: true });
  }
}

export interface ReceiptChanges {
  facts?: Partial<ReceiptFacts>;
  checks?: CheckResult[];
  record?: RunRecord;
}

/** The lines of a receipt, signed by the sample's key: what is changed here is changed by the signer. */
export function signLines({ key, facts }: Sample, { facts: changed, checks = [CHECK], record }: ReceiptChanges = {}) {
  const recordSha256 = record ? hashValue(record) : null;
  const statements = buildStatements({
    facts: { ...facts, recordSha256, ...changed },
    checks,
    gitTree: "12".repeat(20),
  });
  const envelopes = [
    ...statements.map((statement) => signEnvelope(key, IN_TOTO_PAYLOAD, statement)),
    ...(record ? [signEnvelope(key, RECORD_PAYLOAD, record)] : []),
  ];
  return envelopes.map((envelope) => `${canonicalJson(envelope)}\n`);
}
