import { countWord } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import type { EngineContext } from "../engine-context.ts";
import { noRepairError, tooSlowError } from "../plan/no-repair.ts";
import type { RepairCandidate, RepairOutcome } from "../repair/index.ts";
import type { Attempt } from "./make-attempt.ts";
import { type RepairTask, settleRepair } from "./settle-repair.ts";

export interface RepairAttemptRequest extends RepairTask {
  /** Which of the changes that were found, from 1. */
  candidate: number;
}

/** Codes of attempts after which repair has nothing more to try. */
export const REPAIR_ENDS: readonly string[] = ["repair_nothing", "repair_refused", "repair_cannot"];

/**
 * An attempt without a model. The search is made once for a task, and each attempt takes the next of the changes that it
 * found: what the verifier refuses gives way to the one after it.
 */
export async function makeRepairAttempt(context: EngineContext, request: RepairAttemptRequest): Promise<Attempt> {
  const outcome = await settleRepair(context, request);
  const { found, bestPartial, stopped, reason } = outcome;
  if (stopped === "cancelled") {
    const best = found[0] ?? bestPartial;
    if (!best) context.signal.throwIfAborted();
    // It is kept so that a later run can continue from it. It is not judged any more.
    if (best) return takeCandidate(request.base, best, found.length > 0 ? 1 : 0);
  }
  if (stopped === "cannot") {
    const message = reason?.message ?? "There is nothing to search.";
    const { worker, repair } = context.settings;
    if (worker === "repair" && reason?.code === "tests_too_slow") throw tooSlowError(message, repair.seconds);
    if (worker === "repair") throw noRepairError(message);
    return { kind: "failed", code: "repair_cannot", reason: `Repair can't work on it. ${message}` };
  }
  const candidate = found[request.candidate - 1];
  if (candidate) return takeCandidate(request.base, candidate, request.candidate);
  if (found.length > 0) {
    const all = countWord(found.length, "change");
    const words = `Repair found ${all} that the tests accept, and the verifier refused ${found.length === 1 ? "it" : "all of them"}.`;
    return { kind: "failed", code: "repair_refused", reason: words };
  }
  return { kind: "failed", code: "repair_nothing", reason: describeNothing(outcome) };
}

async function takeCandidate(
  base: WorkTree,
  { writes, summary }: RepairCandidate,
  candidate: number,
): Promise<Attempt> {
  const tree = await base.apply(writes.map(({ path, content }) => ({ path, content: Buffer.from(content) })));
  return { kind: "made", tree, summary, candidate };
}

function describeNothing(outcome: RepairOutcome): string {
  const { bestPartial } = outcome;
  const head = describeEnd(outcome);
  if (!bestPartial) return `${head} None was better than the untouched tree.`;
  const { passing, failing } = bestPartial.tests;
  if (failing === 0) {
    const all = countWord(passing, "test");
    if (outcome.stopped === "unable") return `${head} ${bestPartial.summary} passes the ${all} that were tried.`;
    return `${head} ${bestPartial.summary} passes the ${all} that there was time for, and not the whole command: is there a test that takes minutes, or never ends?`;
  }
  return `${head} The best one passes ${passing} of ${countWord(passing + failing, "test")}: ${bestPartial.summary}.`;
}

function describeEnd({ tried, seconds, stopped, reason }: RepairOutcome): string {
  const head = `Repair tried ${countWord(tried, "change")} in ${seconds.toFixed(1)} s`;
  switch (stopped) {
    case "time":
      return `${head}, and found none before its time was over that passes.`;
    case "limit":
      return `${head}, which is its limit, and found none that passes.`;
    case "unconfirmed":
      return `${head}, and found none that passes the whole command.`;
    case "unable":
      return `${head}, and found none that passes. ${reason?.message ?? ""}`.trimEnd();
    case "found":
    case "exhausted":
    case "cancelled":
    case "cannot":
      return `${head}, all that it knows, and found none that passes.`;
    default:
      return stopped satisfies never;
  }
}
