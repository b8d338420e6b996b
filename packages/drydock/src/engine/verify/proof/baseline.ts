import type { Check } from "@drydock/protocol";
import { type ChangedPath, listChangedPaths } from "../changed-paths.ts";
import { runPythonOn } from "../judge-context.ts";
import { type JudgedTree, listNames } from "../judged-tree.ts";
import { loadSpoilers } from "./control/try-control.ts";
import { findListedCases } from "./data/listed-cases.ts";
import { findNamedData } from "./data/named-data.ts";
import { findToldArguments } from "./data/told-arguments.ts";
import { type CheckRecord, type CommandCheck, isCommandCheck } from "./records/base-record.ts";
import { findSecond, keepSecond } from "./records/second-record.ts";
import { amendRecord, type RecordOptions, takeRecord } from "./records/take-record.ts";
import { findSettingsImports } from "./settings-imports.ts";
import { findTestSide } from "./sides/find-test-side.ts";
import { listReleased } from "./sides/list-released.ts";
import { findTestInputs, type TestInput } from "./test-inputs.ts";

/** The trees that the judged work started from, and the records of checks on them. */
export interface Baseline {
  before: JudgedTree;
  /** From `before` to the judged tree. */
  changed: readonly ChangedPath[];
  /** What nothing of the run has touched. */
  untouched: JudgedTree;
  /** Files that decide over the checks. */
  inputs: ReadonlyMap<string, TestInput>;
  /** Those among them that only the way in which tests use them tells from source. */
  testSide: ReadonlyMap<string, TestInput>;
  /** Changed data that tests look at, and that is the work itself. */
  released: ReadonlySet<string>;
  /** Records of this check: of the untouched tree, and of what the task started from where that is another. */
  recordsOf(check: CommandCheck, isEnough?: RecordOptions["isEnough"]): Promise<CheckRecord[]>;
  /** Puts something else on record of this check on the tree that the task started from. */
  amend(check: CommandCheck, change: (record: CheckRecord) => CheckRecord): Promise<void>;
  /** What is kept of a second run of this check on the tree that the task started from. */
  secondOf(check: CommandCheck): Promise<CheckRecord | null>;
  keepSecond(check: CommandCheck, record: CheckRecord): Promise<void>;
  allRecords: readonly CheckRecord[];
}

export interface BaselineOptions extends RecordOptions {
  tree: JudgedTree;
  /** What the task started from. */
  before: JudgedTree;
  /** What nothing of the run has touched: earlier tasks may have changed `before`. */
  untouched: JudgedTree;
  checks: readonly Check[];
  /** All that judge the result in the end, those of other tasks as well: what decides over them is guarded, too. */
  guarded: readonly Check[];
}

/** Checks run on the untouched trees first: what decides over them is seen there, where the judged work has no hand in it. */
export async function openBaseline(options: BaselineOptions): Promise<Baseline> {
  const { tree, before, untouched, checks } = options;
  const trees = untouched.treeHash === before.treeHash ? [before] : [untouched, before];
  const recordsOf: Baseline["recordsOf"] = async (check, isEnough) => {
    const records: CheckRecord[] = [];
    for (const each of trees) records.push(await takeRecord(check, each, { ...options, isEnough }));
    return records;
  };
  // Parsers take long to load, and the runs on untouched trees leave a processor free for it.
  if (checks.some(isCommandCheck)) loadSpoilers().catch(() => {});
  const own: CheckRecord[] = [];
  for (const check of checks) if (isCommandCheck(check)) own.push(...(await recordsOf(check)));
  const others = await takeGuarded(options);
  const changed = listChangedPaths(before, tree);
  const records = [...others.records, ...own];
  const seen = new Map([...others.inputs, ...findTestInputs(own)]);
  const [check] = [...checks, ...options.guarded];
  // Without a check there is no record, and nothing to parse.
  const runPython = check ? runPythonOn(options.contextFor(untouched, check)) : async () => "[]";
  const found = { changed, records, tree: untouched, runPython };
  const released = await listReleased({ ...found, inputs: seen });
  for (const path of released) seen.delete(path);
  const testSide = await findTestSide({ ...found, inputs: seen });
  // What an earlier task of the same run added is no judge of the run.
  const named = await findNamedData({ changed, records, inputs: seen, released, tree: untouched });
  const shown = new Map([...seen, ...testSide]);
  const listed = findListedCases(changed, records, shown);
  const commands = [...checks, ...options.guarded].flatMap((each) => (isCommandCheck(each) ? [each.cmd] : []));
  const told = await findToldArguments({ changed, records, inputs: shown, commands, tree: untouched, judged: tree });
  const all = addLinked(new Map([...shown, ...named, ...listed, ...told]), released, untouched);
  const inputs = new Map([...all].filter(([path]) => untouched.lookup(path)));
  return {
    before,
    untouched,
    changed,
    inputs: new Map([...(await findSettingsImports(inputs, untouched)), ...inputs]),
    testSide,
    released,
    recordsOf,
    amend: (check, change) => amendRecord(check, before, options.store, change),
    secondOf: (check) => findSecond(check, before, options.store),
    keepSecond: (check, record) => keepSecond(check, before, options.store, record),
    allRecords: records,
  };
}

/** What is reached by a symlink is seen by the link's name: the link decides, and so does the file that it leads to. */
function addLinked(
  inputs: ReadonlyMap<string, TestInput>,
  released: ReadonlySet<string>,
  tree: JudgedTree,
): Map<string, TestInput> {
  const all = new Map(inputs);
  for (const [path, input] of inputs) {
    for (const name of listNames(tree, path)) if (!all.has(name) && !released.has(name)) all.set(name, input);
  }
  return all;
}

interface Guarded {
  records: CheckRecord[];
  inputs: Map<string, TestInput>;
}

/** All tasks of a plan share one list of checks, and one untouched tree: both are read once. */
const known = new WeakMap<readonly Check[], { treeHash: string; guarded: Guarded }>();

async function takeGuarded(options: BaselineOptions): Promise<Guarded> {
  const { untouched, guarded } = options;
  const found = known.get(guarded);
  if (found?.treeHash === untouched.treeHash) return found.guarded;
  const records: CheckRecord[] = [];
  for (const check of guarded) if (isCommandCheck(check)) records.push(await takeRecord(check, untouched, options));
  const taken = { records, inputs: findTestInputs(records) };
  known.set(guarded, { treeHash: untouched.treeHash, guarded: taken });
  return taken;
}
