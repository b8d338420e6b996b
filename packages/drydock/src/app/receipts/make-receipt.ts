import { hash } from "node:crypto";
import {
  CheckResult,
  DrydockError,
  type DsseEnvelope,
  IN_TOTO_PAYLOAD,
  RECORD_PAYLOAD,
  type ReceiptFacts,
  type Run,
  type RunEvent,
  type RunRecord,
} from "@drydock/protocol";
import manifest from "../../../package.json" with { type: "json" };
import { loadDelivery, loadReceiptFormat } from "../../engine/index.ts";
import { canonicalJson, type Ledger, type Redactor, signEnvelope } from "../../ledger/index.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import { requireRun } from "../runs/require-run.ts";
import type { Receipt, ReceiptOptions } from "./api.ts";
import { makeRecord } from "./make-record.ts";
import { openTrees, type TreeLookup } from "./open-trees.ts";
import { readEvidence } from "./read-evidence.ts";

export interface ReceiptPorts {
  ledger: Ledger;
  redactor: Redactor;
  own: readonly string[];
  searchPath: string;
}

const REPLAYED: readonly string[] = ["goal", "verify"];

/** Says what a run's checks proved, signed with the home's key, in envelopes that need nothing of this home to be read. */
export async function makeReceipt(ports: ReceiptPorts, id: string, options: ReceiptOptions = {}): Promise<Receipt> {
  const { ledger } = ports;
  const run = await requireRun(ledger, id);
  if (options.withRecord && !REPLAYED.includes(run.kind)) {
    const hint = "Leave out --with-record: only goals and verifications can be executed again.";
    throw new DrydockError("input.invalid", `A receipt for a run of kind ${run.kind} can't include a record.`, hint);
  }
  const events = await readAllEvents(ledger, id);
  const evidence = await readEvidence(ledger, run, events);
  const notes: string[] = [];
  const trees = await openTrees(ports, run, events);
  let gitTree: string | null;
  let record: RunRecord | null = null;
  try {
    gitTree = await findGitTree(ports, run, trees.judged, notes);
    if (options.withRecord) record = await makeRecord(ledger, run, events, trees.base);
  } finally {
    await trees.close();
  }
  if (record?.baseMissing)
    notes.push(`The record is without the directory that the run began with: ${record.baseMissing}.`);
  const { buildStatements, hashValue } = await loadReceiptFormat();
  const { head } = await ledger.signHead();
  const key = await ledger.keys.current();
  const { checks, delivered, reason, baseHash, treeHash, endedAt } = evidence;
  const facts: ReceiptFacts = {
    version: 1,
    drydockVersion: manifest.version,
    signedAt: head.at,
    key: key.info,
    run: { ...describeRun(run, events), endedAt },
    ledger: { position: head.position, hash: head.hash },
    policySha256: hashValue(events[0]?.data.policy ?? null),
    verdict: run.verdict,
    reason: ports.redactor.text(reason),
    baseHash,
    treeHash,
    delivered,
    recordSha256: record && hash("sha256", canonicalJson(record), "hex"),
  };
  const clean = checks.map((check) => CheckResult.parse(ports.redactor.value(check)));
  const envelopes: DsseEnvelope[] = buildStatements({ facts, checks: clean, gitTree }).map((statement) =>
    signEnvelope(key, IN_TOTO_PAYLOAD, statement),
  );
  if (record) envelopes.push(signEnvelope(key, RECORD_PAYLOAD, record));
  const text = envelopes.map((envelope) => `${canonicalJson(envelope)}\n`).join("");
  return { runId: id, keyId: key.info.id, text, notes };
}

function describeRun({ id, kind, title, createdAt }: Run, events: readonly RunEvent[]) {
  return { id, kind, title, createdAt, events: events.length, headHash: events.at(-1)?.hash ?? "" };
}

async function findGitTree(
  { searchPath }: ReceiptPorts,
  { workspace }: Run,
  judged: TreeLookup,
  notes: string[],
): Promise<string | null> {
  const note = (reason: string) => {
    notes.push(`The receipt names no git tree: ${reason}.`);
    return null;
  };
  if ("missing" in judged) return note(judged.missing);
  if (workspace === null) return null;
  const { hashGitTree } = await loadDelivery();
  try {
    const found = await hashGitTree({ workspace, searchPath }, judged.tree);
    return found.kind === "tree" ? found.tree : note(found.reason);
  } catch (error) {
    // A machine without git, or a repository that git refuses: the tree has its own name all the same.
    if (error instanceof DrydockError) return note(error.message.replace(/\.$/, ""));
    throw error;
  }
}
