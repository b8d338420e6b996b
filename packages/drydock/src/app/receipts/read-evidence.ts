import {
  CheckResult,
  DrydockError,
  type Run,
  type RunEvent,
  TaskVerified,
  TreeVerified,
  Verification,
} from "@drydock/protocol";
import { findAltered, type Ledger } from "../../ledger/index.ts";

/** What a run's record says about its result. */
export interface Evidence {
  checks: CheckResult[];
  reason: string;
  baseHash: string | null;
  treeHash: string;
  endedAt: string;
  delivered: { at: string; branch: string | null; commit: string | null } | null;
}

export async function readEvidence(ledger: Ledger, run: Run, events: readonly RunEvent[]): Promise<Evidence> {
  const { id, verdict, endedAt } = run;
  const refuse = (reason: string, hint: string) =>
    new DrydockError("input.invalid", `There is no receipt for run ${id}: ${reason}.`, hint, { runId: id });
  if (endedAt === null) throw refuse("it has not ended", "Wait for its end: `drydock runs events ID --follow`.");
  const judged = await readJudged(ledger, events);
  const treeHash = run.treeHash ?? judged.treeHash;
  if (verdict === "unverified" || treeHash === null) {
    const hint = "Receipts are for runs with a verdict: those of `drydock run` and `drydock verify`.";
    throw refuse("no checks judged a tree in it", hint);
  }
  const [altered] = findAltered(events);
  if (altered) {
    const hint = "The ledger was changed or damaged: run `drydock audit verify` to see where.";
    throw refuse(`its event ${altered.seq} is not what its hash says`, hint);
  }
  if (judged.treeHash !== null && judged.treeHash !== treeHash) {
    throw refuse("its checks judged another tree than its end names", "Run `drydock audit verify`.");
  }
  const { checks, baseHash, reason } = judged;
  return { checks, reason, baseHash, treeHash, endedAt, delivered: findDelivery(events, treeHash) };
}

/**
 * Of a goal with a task that failed, which has no whole result: the last attempt that was judged and did not pass. That
 * is the tree on which the run ended.
 */
export function findLastJudged(events: readonly RunEvent[]): RunEvent | undefined {
  return events.findLast(({ type, data }) => type === "task.verified" && data.verdict !== "passed");
}

interface Judged {
  checks: CheckResult[];
  baseHash: string | null;
  treeHash: string | null;
  reason: string;
}

async function readJudged(ledger: Ledger, events: readonly RunEvent[]): Promise<Judged> {
  const whole = TreeVerified.safeParse(events.findLast(({ type }) => type === "tree.verified")?.data).data;
  const last = whole ?? TaskVerified.safeParse(findLastJudged(events)?.data).data;
  if (last) {
    const text = (await ledger.blobs.readWhole(last.verification)).toString();
    const { checks, baseHash, treeHash, reason = "" } = Verification.parse(JSON.parse(text));
    return { checks, baseHash, treeHash, reason: last.reason ?? reason };
  }
  // A directory that is judged as it stands: if it changed meanwhile, the last round counts.
  const finished = events.filter(({ type }) => type === "check.finished");
  const round = Number(finished.at(-1)?.data.round ?? 0);
  const checks = finished.flatMap(({ data }) => {
    const check = CheckResult.safeParse(data).data;
    return check && Number(data.round ?? 0) === round ? [check] : [];
  });
  const failing = checks.find(({ verdict }) => verdict !== "passed");
  const recordedReason = events.findLast(({ type }) => type === "run.failed")?.data.reason;
  const reason = typeof recordedReason === "string" ? recordedReason : (failing?.reason ?? "All checks pass.");
  return { checks, baseHash: null, treeHash: null, reason };
}

/** Only a delivery of just the tree that was judged: merged with something else it is another. */
function findDelivery(events: readonly RunEvent[], treeHash: string): Evidence["delivered"] {
  const last = events.findLast(({ type }) => ["layer.applied", "layer.reverted", "layer.discarded"].includes(type));
  if (last?.type !== "layer.applied" || last.data.treeHash !== treeHash) return null;
  const { branch = null, commit = null } = last.data as { branch?: string | null; commit?: string | null };
  return { at: last.at, branch, commit };
}
