import { type Check, DrydockError } from "@drydock/protocol";
import type { CheckFinding } from "../../check-finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { listTestPrograms } from "../test-programs.ts";
import { type CheckRecord, type CommandCheck, type RecordStore, recordKey } from "./base-record.ts";
import { takeTurn } from "./take-turn.ts";

export interface RecordOptions {
  /** Whether a record will do; one that will not is taken again, with all the time that the check has. */
  isEnough?: (record: CheckRecord) => boolean;
  /** Whether a record that this call took may serve others, too. */
  isKept?: (record: CheckRecord) => boolean;
  store: RecordStore;
  contextFor: (tree: JudgedTree, check: Check) => JudgeContext;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<CheckFinding>;
  /** Called once when the check runs on the tree, by this call or by another one that it waits for. */
  onStart?: (check: CommandCheck) => unknown;
}

/** What running the check on the tree shows: out of the store, or by one run, however many want it at the same time. */
export async function takeRecord(check: CommandCheck, tree: JudgedTree, options: RecordOptions): Promise<CheckRecord> {
  const { store, onStart, contextFor, isEnough = () => true, isKept = () => true } = options;
  const key = recordKey(check, tree.treeHash);
  const find = async () => {
    const record = readRecord(await store.read(key), tree.treeHash);
    return record && isEnough(record) ? record : null;
  };
  const stored = await find();
  if (stored) return stored;
  const context = contextFor(tree, check);
  let isReported = false;
  const reportStart = () => {
    if (!isReported) onStart?.(check);
    isReported = true;
  };
  return takeTurn({ of: store, key, signal: context.signal, onWait: reportStart }, async () => {
    const taken = await find();
    if (taken) return taken;
    reportStart();
    const endsStalled = options.isEnough === undefined;
    const own: JudgeContext = { ...context, endsStalled, watch: "observe" };
    const { record, isStable } = await runForRecord(check, own, options.judge);
    if (isStable && isKept(record)) await store.write(key, JSON.stringify(record));
    return record;
  });
}

/** Changes what is on record, where there is something. */
export async function amendRecord(
  check: CommandCheck,
  { treeHash }: JudgedTree,
  store: RecordStore,
  change: (record: CheckRecord) => CheckRecord,
): Promise<void> {
  const key = recordKey(check, treeHash);
  const record = readRecord(await store.read(key), treeHash);
  if (record) await store.write(key, JSON.stringify(change(record)));
}

/** `isStable`: nobody changed the directory below meanwhile. */
export async function runForRecord(
  check: CommandCheck,
  context: JudgeContext,
  judge: RecordOptions["judge"],
): Promise<{ record: CheckRecord; isStable: boolean }> {
  const { tree } = context;
  let isStable = true;
  const noteChanged = (paths: readonly string[]) => {
    isStable = false;
    context.noteChanged(paths);
  };
  const since = performance.now();
  const { verdict, code, reason, ran } = await judge(check, { ...context, noteChanged, pin: [] });
  // A run that could not happen is no run that failed: everything is judged again.
  if (code === "unstable") throw new DrydockError("delivery.conflict", reason, "The checks are made again.");
  const record: CheckRecord = {
    treeHash: tree.treeHash,
    passed: verdict === "passed",
    reason,
    report: ran?.report ?? null,
    observed: ran?.observed ?? null,
    wrote: ran?.wrote ?? [],
    programs: await listTestPrograms(ran?.observed ?? null, tree),
    durationMs: Math.round(performance.now() - since),
  };
  return { record, isStable };
}

/** What can't be read as a record of this tree is taken again. */
export function readRecord(text: string | null, treeHash: string): CheckRecord | null {
  if (text === null) return null;
  try {
    const record = JSON.parse(text) as Partial<CheckRecord> | null;
    return record?.treeHash === treeHash && Array.isArray(record.wrote) ? (record as CheckRecord) : null;
  } catch {
    // Cut short by a full disk or an end of the machine.
    return null;
  }
}
