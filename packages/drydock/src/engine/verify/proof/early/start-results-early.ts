import { availableParallelism } from "node:os";
import type { Check } from "@drydock/protocol";
import type { CheckFinding } from "../../check-finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import { type CommandCheck, isCommandCheck } from "../records/base-record.ts";

/** Runs on the judged tree, beside those on the untouched tree that tell what nothing may change meanwhile. */
export interface EarlyResults {
  /** The check begins to run on the untouched tree; the context is that of the judged one. */
  begin(check: Check, context: JudgeContext, judge: Judge): void;
  /** The untouched tree has its records: what still runs takes nothing from them any more. */
  settle(): void;
  /** What the check found, where it would have found the same with these files pinned; else null. */
  take(check: Check, pin: readonly string[]): Promise<EarlyResult | null>;
  /** Ends the runs that were not used. */
  end(): Promise<void>;
}

export interface EarlyResult {
  finding: CheckFinding;
  durationMs: number;
}

type Judge = (check: CommandCheck, context: JudgeContext) => Promise<CheckFinding>;

const PROCESSORS = availableParallelism();
/** A check that takes longer has the machine for itself on the untouched tree: there its time may be short. */
const MOST_MS = 2000;

/**
 * A run on the untouched tree leaves processors idle, and most changes pass their checks: the judged run is begun beside it. What
 * must be pinned is not known yet. A run that wrote to none of it, as the sandbox saw when all was over, found what it would have
 * found with it pinned; any other is made again. It can't hold up the run on the untouched tree: it is kept on half of the
 * processors, and is ended if it takes long. Nor does it meet it anywhere else: a check with a network has no such run.
 */
export function startResultsEarly(now = () => performance.now()): EarlyResults {
  const ending = new AbortController();
  const runs = new Map<Check, Promise<EarlyResult | null>>();
  const timers: NodeJS.Timeout[] = [];

  async function run(check: CommandCheck, context: JudgeContext, judge: Judge): Promise<EarlyResult> {
    const tooLong = new AbortController();
    timers.push(setTimeout(() => tooLong.abort(), MOST_MS).unref());
    const { signal = ending.signal } = context;
    const signals = AbortSignal.any([signal, ending.signal, tooLong.signal]);
    const since = now();
    const finding = await judge(check, { ...context, pin: [], watch: "observe", aside: true, signal: signals });
    return { finding, durationMs: now() - since };
  }

  return {
    begin(check, context, judge) {
      if (runs.has(check) || !isCommandCheck(check) || !isPossible(context)) return;
      // After the run that it is beside: where only one of them gets a place, that one does.
      const begun = new Promise<void>((resolve) => setImmediate(resolve));
      runs.set(
        check,
        begun.then(() => run(check, context, judge)).catch(() => null),
      );
    },
    settle() {
      for (const timer of timers) clearTimeout(timer);
    },
    async take(check, pin) {
      const early = await runs.get(check);
      return early && isAsPinned(early.finding, pin) ? early : null;
    },
    async end() {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(runs.values());
    },
  };
}

function isPossible({ policy }: JudgeContext): boolean {
  return PROCESSORS > 1 && policy.limits.concurrency > 1 && policy.network.allow.length === 0;
}

/** What does not pass may have met the bounds of such a run. */
function isAsPinned({ verdict, ran }: CheckFinding, pin: readonly string[]): boolean {
  if (verdict !== "passed" || !ran?.touched) return false;
  const touched = new Set(ran.touched);
  return !pin.some((path) => listWays(path).some((way) => touched.has(way)));
}

/** A path and the directories above it: one of them may have been replaced. */
function listWays(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
