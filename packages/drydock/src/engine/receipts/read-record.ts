import { hash } from "node:crypto";
import { type ReceiptFacts, type RunEvent, RunRecord, TERMINAL_EVENTS } from "@drydock/protocol";
import { decodeBase64, findAltered } from "../../ledger/index.ts";
import { ReceiptProblem, type SignedLine } from "./open-receipt.ts";

/** The record of a receipt, once it is certain that it is whole and of the run that the receipt is about. */
export function readRecord({ line, value }: SignedLine, facts: ReceiptFacts): RunRecord {
  const fail = (message: string) => new ReceiptProblem("record", line, message);
  const record = RunRecord.safeParse(value).data;
  if (!record) throw fail(`Line ${line} is not a record that can be read.`);
  const { run, events, contents, base } = record;
  const [altered] = findAltered(events);
  if (altered) throw fail(`Event ${altered.seq} of the record is not what its hash says.`);
  const last = events.at(-1);
  const isWhole = events.every(({ seq, runId }, index) => seq === index && runId === facts.run.id);
  if (!isWhole || events.length !== facts.run.events || last?.hash !== facts.run.headHash || run.id !== facts.run.id) {
    throw fail("The events of the record are not those of the run that the receipt is about.");
  }
  const end = events.find(({ type }) => (TERMINAL_EVENTS as readonly string[]).includes(type));
  // A goal that failed at a task has no whole result: its receipt is about the tree of an attempt.
  const isTree = ({ type, data }: RunEvent) => type === "task.verified" && data.treeHash === facts.treeHash;
  const hasTree = end?.data.treeHash === facts.treeHash || (end?.data.treeHash === null && events.some(isTree));
  if (end?.data.verdict !== facts.verdict || !hasTree) {
    throw fail("The record ends with another verdict or tree than the receipt names.");
  }
  for (const [sha256, text] of Object.entries(contents)) {
    const bytes = decodeBase64(text);
    if (!bytes || hash("sha256", bytes, "hex") !== sha256)
      throw fail(`The content ${sha256} is not what its hash says.`);
  }
  const missing = base?.entries.find(({ type, sha256 = "" }) => type === "file" && contents[sha256] === undefined);
  if (missing) throw fail(`The content of ${missing.path} is missing from the record.`);
  return record;
}
