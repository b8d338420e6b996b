import { hash } from "node:crypto";
import type {
  AppendResults,
  ControlledState,
  ErrorInfo,
  FinalizeRun,
  HostAgent,
  HostEvent,
  HostStep,
} from "@drydock/protocol";
import { DrydockError } from "@drydock/protocol";
import type { AccessSnapshot } from "../access/snapshot.ts";
import type { HostPorts, RunRecord } from "../ports.ts";
import { createResultReader } from "../results/read-results.ts";
import type { ResultStep } from "../results/result-step.ts";
import { finishRun } from "../runs/answer-event.ts";
import { createEffects } from "../runs/create-effects.ts";
import { chooseDelivery } from "../runs/deliver.ts";
import { requestAction } from "../runs/request-action.ts";
import { type RunnerOutcome, toErrorInfo } from "../runs/run-runner.ts";

/*
 * open ──► ended     by a terminal result, by `finalize`, by its deadline, or by a cancel; exactly once
 *
 * Calls are carried out one after the other. A result is known by its number: one that comes again with the same content
 * changes nothing, also after the end; one with another content is refused. What a result asks for and could not be done, such as
 * on a full disk, is done first by the next call, the same one or another: from where it failed, nothing twice.
 */
export interface Controlled {
  readonly hasEnded: boolean;
  readonly deadlineMs: number;
  append(results: AppendResults["results"]): Promise<ControlledState>;
  finalize(end: Omit<FinalizeRun, "token">): Promise<ControlledState>;
  cancel(): Promise<void>;
}

export interface ControlledOptions {
  ports: HostPorts;
  record: RunRecord;
  agent: HostAgent;
  event: HostEvent;
  eventId: string;
  conversation: string | null;
  snapshot: AccessSnapshot;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
}

const MAX_RESULTS = 100_000;

export function createControlled(options: ControlledOptions): Controlled {
  const { ports, record, agent, event, eventId, conversation, snapshot, onStep } = options;
  const startedMs = ports.now();
  const context = { snapshot, event, conversation, record, facts: ports.facts };
  const expectsReply = event.type === "message.received" && agent.delivery.reply;
  const reader = createResultReader({ runId: record.id, expectsReply });
  const over = new AbortController();
  const effects = createEffects({
    ...{ context, eventId, delivery: chooseDelivery(ports, { agent, event, runId: record.id }) },
    ...{ onDelta() {}, onStep },
    requestAction: (action) => requestAction(ports, options, action, over.signal),
  });
  /** What was appended, by its number. */
  const seen = new Map<number, string>();
  let ended: { error: ErrorInfo | null } | null = null;
  let finalized: string | null = null;
  /** The last result, with what is left to do of it: nothing, unless that failed. */
  let current: { key: number | "end"; steps: readonly ResultStep[] } = { key: "end", steps: [] };
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  const end = async (how: RunnerOutcome["end"]) => {
    if (ended) return;
    const error = toErrorInfo(how, record.id);
    ended = { error };
    over.abort();
    clearTimeout(timer);
    const { messages, warnings } = effects;
    await finishRun(record, { end: how, messages, warnings, isStuck: false }, error, ports.now() - startedMs);
    onStep("run.ended", { ok: error === null, error });
  };
  const carryOut = async () => {
    for (const step of current.steps) {
      if (ended) break;
      const reached = await effects.apply(step);
      current = { ...current, steps: current.steps.slice(1) };
      if (reached) await end(reached);
    }
    current = { ...current, steps: [] };
  };
  /** Does what an earlier call has left, and gives the result that it belongs to. */
  const catchUp = async () => {
    const left = current.steps.length > 0 ? current.key : null;
    await carryOut();
    return left;
  };
  const cancel = () => inTurn(() => end({ kind: "cancelled" }));
  const expire = () =>
    inTurn(() => {
      const message = `The run was not finalized within ${agent.timeoutSeconds} s.`;
      return end({ kind: "failed", code: "runner.timeout", runnerCode: null, message, retryable: true });
    });
  // A ledger that can't be written now fails the next call as well, which says so.
  const timer = setTimeout(() => void expire().catch(() => {}), agent.timeoutSeconds * 1000);
  timer.unref();
  record.cancelled.addEventListener("abort", () => void cancel().catch(() => {}), { once: true });
  onStep("run.started", { agent: agent.name });

  const stateAfter = (applied: number, repeated: number): ControlledState => ({
    ...{ runId: record.id, ended: ended !== null, ok: ended ? ended.error === null : null },
    ...{ error: ended?.error ?? null, applied, repeated, warnings: [...effects.warnings] },
  });

  return {
    get hasEnded() {
      return ended !== null;
    },
    deadlineMs: startedMs + agent.timeoutSeconds * 1000,
    append: (results) =>
      inTurn(async () => {
        const caughtUp = await catchUp();
        let applied = 0;
        let repeated = 0;
        for (const result of results) {
          const { sequence, type, data = {} } = result;
          const digest = hash("sha256", JSON.stringify([type, data]));
          const known = seen.get(sequence);
          if (known !== undefined && known !== digest) throw otherContent(sequence);
          if (known !== undefined) {
            if (sequence === caughtUp) applied += 1;
            else repeated += 1;
            continue;
          }
          if (ended) throw hasEnded(record.id);
          if (seen.size >= MAX_RESULTS) throw tooMany();
          seen.set(sequence, digest);
          current = { key: sequence, steps: reader.take({ type, data, sequence }) };
          await carryOut();
          applied += 1;
        }
        return stateAfter(applied, repeated);
      }),
    finalize: (request) =>
      inTurn(async () => {
        const {
          status,
          finish_reason = "stop",
          message,
          usage,
          code = "failed",
          error = "",
          retryable = false,
        } = request;
        const result =
          status === "completed"
            ? { type: "run.completed", data: { finish_reason, message, usage } }
            : { type: "run.failed", data: { code, error, retryable } };
        const digest = hash("sha256", JSON.stringify(result));
        const caughtUp = await catchUp();
        if (finalized === digest) return caughtUp === "end" ? stateAfter(1, 0) : stateAfter(0, 1);
        if (ended) throw hasEnded(record.id);
        finalized = digest;
        current = { key: "end", steps: reader.take(result) };
        await carryOut();
        return stateAfter(1, 0);
      }),
    cancel,
  };
}

function hasEnded(runId: string): DrydockError {
  const hint = "A run that has ended never changes. Create another one.";
  return new DrydockError("run.ended", `The run ${runId} has ended.`, hint, { runId });
}

function otherContent(sequence: number): DrydockError {
  const hint = "Give each result a number of its own, and repeat it with the same content.";
  const message = `The result ${sequence} was appended with another content.`;
  return new DrydockError("input.invalid", message, hint, { sequence });
}

function tooMany(): DrydockError {
  return new DrydockError("input.invalid", `A run has at most ${MAX_RESULTS} results.`, "Finalize the run.");
}
