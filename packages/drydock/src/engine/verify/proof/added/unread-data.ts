import type { CommandRun } from "../../check-finding.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { ChangeOptions } from "../judge-change.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { listRead } from "./displaced.ts";

/**
 * Data that a test read on the untouched tree, and does not read any more though the test runs and the data is still there: it
 * compares with something else by now, such as a file of the same name where the source has led it. Null: none.
 */
export function findUnread(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  { baseline, context, mayChange }: Pick<ChangeOptions, "baseline" | "context" | "mayChange">,
): string | null {
  // A run in which something was left out did not tell all that it read.
  if (!ran?.report || ran.report.truncated || !ran.observed) return null;
  const read = listRead(ran);
  const reports = records.flatMap(({ report }) => report ?? []);
  const wrote = new Set([...records.flatMap((record) => record.wrote), ...ran.wrote]);
  const passing = new Set(ran.report.tests.flatMap(({ file, outcome }) => (outcome === "passed" ? [file] : [])));
  for (const { path, how, by } of reports.flatMap(({ files }) => files)) {
    if (how !== "open" || by === null || !isTestFile(by) || !passing.has(by) || read.has(path)) continue;
    if (baseline.inputs.get(path)?.kind !== "data" || wrote.has(path) || mayChange(by, true)) continue;
    if (context.tree.lookup(path)?.type !== "file") continue;
    return `${by} read ${path} without the change, and does not read it any more: what it compares with by now is something else.`;
  }
  return null;
}
