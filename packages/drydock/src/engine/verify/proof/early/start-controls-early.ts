import { availableParallelism } from "node:os";
import type { RunPython } from "../../../source/run-python.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { ChangeOptions } from "../judge-change.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { showsFailing } from "../records/second-record.ts";
import { type Compared, runControl } from "../run-control.ts";

type Judge = ChangeOptions["judge"];

/** First runs of a control, beside the judged run whose outcome they expect. */
export interface EarlyControls {
  /** Judges as `otherwise` does, and takes what was run already. */
  take(otherwise: Judge): Judge;
  runPython: RunPython;
  /** Ends the runs that were not used. */
  end(): Promise<void>;
}

const PROCESSORS = availableParallelism();
/** Checks that take longer may well need the machine for themselves. */
const SHORT_MS = 1000;

/**
 * A change that works makes the tests pass that failed before it: its controls are known before its own run has ended. A few
 * of them are begun beside that run. Nothing is decided by this: who judges asks for the runs that are needed, as ever, and
 * those that exist already take no time.
 */
export function startControlsEarly(options: Omit<ChangeOptions, "durationMs">): EarlyControls {
  const ending = new AbortController();
  const runs = new Map<string, ReturnType<Judge>>();
  const parses = new Map<string, Promise<string>>();
  /** What the judge has asked for before it was begun here is under way already. */
  const asked = new Set<string>();
  const { context } = options;
  const { signal = ending.signal } = context;
  const own: JudgeContext = { ...context, signal: AbortSignal.any([signal, ending.signal]) };
  const runPython: RunPython = (program, input) =>
    remember(parses, JSON.stringify([program, input]), () => options.runPython(program, input));
  let most = PROCESSORS;
  const judgeAhead: Judge = async (check, judged) => {
    const key = keyOf(check, judged);
    if (runs.size >= most || asked.has(key)) throw new Error("enough is under way");
    return remember(runs, key, () => options.judge(check, judged));
  };
  const begin = async () => {
    const records = await options.baseline.recordsOf(options.check);
    if (!isWorthwhile(records)) return;
    const expected = foresee(records);
    const second = await options.baseline.secondOf(options.check);
    // The run that confirms the failure follows the judged one: a control that is left for it has a processor, too.
    if (!showsFailing(second, expected?.newlyPassing ?? [])) most -= 1;
    const control = { ...options, context: own, judge: judgeAhead, runPython, durationMs: 0 };
    await runControl(control, records, expected);
  };
  const begun = begin().catch(() => {});
  return {
    take: (otherwise) => (check, judged) => {
      const key = keyOf(check, judged);
      asked.add(key);
      const run = runs.get(key);
      // A second request needs a new run.
      runs.delete(key);
      return run ?? otherwise(check, judged);
    },
    runPython,
    async end() {
      ending.abort();
      await Promise.allSettled([begun, ...runs.values()]);
    },
  };
}

function keyOf(check: ChangeOptions["check"], { tree, watch }: JudgeContext): string {
  return JSON.stringify([check, tree.treeHash, watch]);
}

/** What failed is tried again by the next who asks. */
function remember<T>(known: Map<string, Promise<T>>, key: string, act: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found) return found;
  const made = act();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}

function isWorthwhile(records: readonly CheckRecord[]): boolean {
  const last = records.at(-1);
  return PROCESSORS > 1 && last !== undefined && !last.passed && last.durationMs < SHORT_MS;
}

/** Each test that did not pass before does so now; null where no test runner reports. */
function foresee(records: readonly CheckRecord[]): Compared | null {
  const reports = records.flatMap(({ report }) => report ?? []);
  if (reports.every(({ runners }) => runners.length === 0)) return null;
  const failing = reports.flatMap(({ tests, named }) => [
    ...tests.filter(({ outcome }) => outcome === "failed"),
    ...named,
  ]);
  return { newlyPassing: [...new Set(failing.map(({ id }) => id))], added: [] };
}
