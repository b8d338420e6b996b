import { resolve } from "node:path";
import { DrydockError, INTERNAL_HINT, type ReceiptReport, type RunRecord } from "@drydock/protocol";
import { loadReceiptFormat, type VerifiedReceipt } from "../../engine/index.ts";
import { openWorkbench, resolveWorkspace } from "../../sandbox/index.ts";
import type { VerifyReceiptOptions } from "./api.ts";
import { describeDifference } from "./describe-difference.ts";
import { EVERYTHING } from "./open-trees.ts";
import { readPinnedKey } from "./read-pinned-key.ts";

const STORES = "Verifying a receipt tried to read or store contents.";

/** Verifies a receipt with the key that the reader trusts, and against the directory that the reader has. Needs no home. */
export async function verifyReceiptBytes(
  bytes: Uint8Array,
  { key, tree }: VerifyReceiptOptions,
): Promise<VerifiedReceipt> {
  const { verifyReceipt } = await loadReceiptFormat();
  const verified = verifyReceipt(bytes, key === undefined ? null : readPinnedKey(key));
  if (tree === undefined || !verified.report.facts) return verified;
  const { report, record } = verified;
  const { treeHash } = verified.report.facts;
  return { record, report: await compareDirectory(report, treeHash, record, bytes, tree) };
}

/** Where the directory is another tree, what differs is named as far as the receipt tells. */
async function compareDirectory(
  report: ReceiptReport,
  wanted: string,
  record: RunRecord | null,
  receipt: Uint8Array,
  directory: string,
): Promise<ReceiptReport> {
  const workspace = resolveWorkspace(resolve(directory), []);
  const never = () => Promise.reject(new DrydockError("internal", STORES, INTERNAL_HINT));
  const workbench = await openWorkbench({ workspace, rules: EVERYTHING, contents: { read: never, put: never } });
  try {
    if (workbench.treeHash === wanted) return { ...report, sameTree: true };
    const what = `The directory is another tree, ${workbench.treeHash}, than the one that was judged, ${wanted}.`;
    const message = `${what} ${describeDifference(workbench.tree(null), record, receipt)}`;
    return { ...report, ok: false, sameTree: false, problem: { part: "subject", line: 0, message } };
  } finally {
    await workbench.close();
  }
}
