import { DrydockError, type ErrorInfo, type RequiredCheck } from "@drydock/protocol";
import type { NewEvent } from "../../ledger/index.ts";
import type { ResolvedPolicy } from "../../policy/index.ts";
import { layerChanges, type Outcome } from "../../sandbox/index.ts";
import { recordLayer } from "../runs/record/record-layer.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { WrapOptions, WrapResult, WrapReview } from "./api.ts";
import type { CheckpointRecord } from "./checkpoint-record.ts";
import { type JudgedWrap, judgeWrap } from "./judge-wrap.ts";
import type { WrapPorts } from "./wrap-ports.ts";

export interface Settling {
  runId: string;
  workspace: string;
  resolved: ResolvedPolicy;
  required: readonly RequiredCheck[];
  record: CheckpointRecord;
}

/** What a program left behind. Of a state that was only put back: nothing ran. */
export type WrapOutcome = Pick<Outcome, "layer" | "error" | "exitCode" | "usage" | "sandbox" | "network" | "notes">;

/** Judges what a program left, ends its run, and does what is decided about the changes. */
export async function settleWrap(
  ports: WrapPorts,
  settling: Settling,
  outcome: WrapOutcome,
  options: Pick<WrapOptions, "mayChange" | "onCheck" | "decide" | "confirmAutorun" | "signal">,
  events: readonly NewEvent[] = [],
): Promise<WrapResult> {
  const { runId, workspace, record } = settling;
  const judged = await judgeOrExplain(ports, settling, outcome, options);
  const { verdict, reason, layer } = judged;
  const changes = layerChanges(layer);
  const notes = [...outcome.notes, ...judged.notes];
  const { error, usage, sandbox, network, exitCode } = outcome;
  const captured = layer.entries.length > 0 ? [await recordLayer(ports.ledger, runId, layer)] : [];
  const end = { error, usage, sandbox, verdict, treeHash: layer.treeHash, reason, exitCode, notes };
  const isFine = error === null && verdict !== "failed";
  const type = error?.code === "run.cancelled" ? "run.cancelled" : isFine ? "run.succeeded" : "run.failed";
  await ports.ledger.finish(runId, { type, data: end }, [...events, ...captured]);
  const refusal = findRefusal(judged, settling.required.length);
  const { checks } = judged;
  const review: WrapReview = { runId, workspace, verdict, reason, changes, checks, network, notes, refusal };
  const { treeHash } = layer;
  const exitSignal = typeof error?.signal === "string" ? error.signal : null;
  const delivery = await deliver(ports, review, options);
  const about = { exitCode, exitSignal, error, treeHash, checkpoints: record.list.length, notes };
  return { runId, verdict, reason, changes, checks, network, refusal, ...about, ...delivery };
}

/** Where the checks themselves can't be made, the changes are kept, and the run says why. */
async function judgeOrExplain(
  ports: WrapPorts,
  { runId, workspace, resolved, required }: Settling,
  { layer, error }: WrapOutcome,
  { mayChange, onCheck, signal }: Pick<WrapOptions, "mayChange" | "onCheck" | "signal">,
): Promise<JudgedWrap> {
  const unjudged = (reason: string): JudgedWrap => ({ verdict: "unverified", reason, checks: [], layer, notes: [] });
  if (signal?.aborted) return unjudged("It was ended from outside: no check was made.");
  if (error && isOwnFailure(error)) return unjudged(error.message);
  try {
    return await judgeWrap(ports, layer, { runId, workspace, resolved, required, mayChange, onCheck, signal });
  } catch (cause) {
    return unjudged(`The checks could not be made: ${asDrydockError(cause).message}`);
  }
}

function isOwnFailure({ code }: ErrorInfo): boolean {
  return code === "sandbox.unavailable" || code === "internal";
}

/** The rules of every delivery: see `deliveries/deliver.ts`, which holds them. */
function findRefusal({ verdict, reason, layer }: JudgedWrap, declared: number): string | null {
  const isUnjudged = verdict === "unverified" && declared > 0 && layer.entries.length > 0;
  return verdict === "failed" || isUnjudged ? reason : null;
}

async function deliver(
  ports: WrapPorts,
  review: WrapReview,
  { decide, confirmAutorun, signal }: Pick<WrapOptions, "decide" | "confirmAutorun" | "signal">,
): Promise<Pick<WrapResult, "delivery" | "delivered" | "deliveryError">> {
  const kept = { delivery: "kept", delivered: null, deliveryError: null } as const;
  if (review.changes.length === 0) return { ...kept, delivery: "nothing" };
  const decision = decide && !signal?.aborted ? await decide(review) : "keep";
  const { runId } = review;
  try {
    switch (decision) {
      case "keep":
        return kept;
      case "discard":
        await ports.discard(runId);
        return { ...kept, delivery: "discarded" };
      case "apply": {
        const delivered = await applyOrAsk(ports, review, confirmAutorun);
        return { ...kept, delivery: delivered.outcome === "nothing" ? "nothing" : "applied", delivered };
      }
      default:
        return decision satisfies never;
    }
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    return { ...kept, deliveryError: error.toInfo() };
  }
}

/** Who decided has seen the changes: a verdict of `unproven` is part of what was shown. */
async function applyOrAsk(ports: WrapPorts, { runId }: WrapReview, confirm: WrapOptions["confirmAutorun"]) {
  const options = { allowUnproven: true };
  try {
    return await ports.apply(runId, options);
  } catch (error) {
    const isAutorun = error instanceof DrydockError && Array.isArray(error.data.autorun);
    if (!isAutorun || !(await confirm?.(error.toInfo()))) throw error;
    return ports.apply(runId, { ...options, allowAutorun: true });
  }
}
