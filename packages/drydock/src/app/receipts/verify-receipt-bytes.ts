import { resolve } from "node:path";
import { DrydockError, type ReceiptReport } from "@drydock/protocol";
import { loadReceiptFormat, type VerifiedReceipt } from "../../engine/index.ts";
import { openWorkbench, resolveWorkspace } from "../../sandbox/index.ts";
import type { VerifyReceiptOptions } from "../api/receipts.ts";
import { EVERYTHING } from "./open-trees.ts";
import { readPinnedKey } from "./read-pinned-key.ts";

/** Verifies a receipt with the key that the reader trusts, and against the directory that the reader has. Needs no home. */
export async function verifyReceiptBytes(
  bytes: Uint8Array,
  { key, tree }: VerifyReceiptOptions,
): Promise<VerifiedReceipt> {
  const { verifyReceipt } = await loadReceiptFormat();
  const verified = verifyReceipt(bytes, key === undefined ? null : readPinnedKey(key));
  if (tree === undefined || !verified.report.facts) return verified;
  return { ...verified, report: compareTree(verified.report, verified.report.facts.treeHash, await hashTree(tree)) };
}

function compareTree(report: ReceiptReport, wanted: string, found: string): ReceiptReport {
  if (found === wanted) return { ...report, sameTree: true };
  const message = `The directory is another tree, ${found}, than the one that was judged, ${wanted}.`;
  return { ...report, ok: false, sameTree: false, problem: { part: "subject", line: 0, message } };
}

async function hashTree(directory: string): Promise<string> {
  const workspace = resolveWorkspace(resolve(directory), []);
  const never = () => Promise.reject(new DrydockError("internal", "Nothing is kept here.", "Report this."));
  const bench = await openWorkbench({ workspace, rules: EVERYTHING, contents: { read: never, put: never } });
  try {
    return bench.treeHash;
  } finally {
    await bench.close();
  }
}
