import {
  isResultType,
  type Message,
  RESULT_PAYLOADS,
  type ResultPayload,
  type ResultType,
  RUNNER_LIMITS,
  RunResult,
  readText,
} from "@drydock/protocol/runner";
import { isTooDeep, MAX_LEVELS } from "../../base/json-schema/index.ts";
import { cutMessage, MARK } from "./cut-message.ts";
import type { ResultStep, RunnerEnd, RunnerErrorCode } from "./result-step.ts";

/*
 * open ──► ended     by run.completed, run.failed, a fault against the protocol, or the return of the runner
 *
 * Deltas without a complete message are joined into one when the run ends. A message that run.completed carries counts only
 * where none came before it. What comes after the end is dropped, with a warning.
 */
export interface ResultReader {
  readonly hasEnded: boolean;
  /** Reads the next result. The steps are carried out in their order; the last may be the end. */
  take(result: unknown): ResultStep[];
  /** The runner has returned, or its channel is closed: with `fault` where that was no regular return. */
  finish(fault?: { code: RunnerErrorCode; message: string; retryable: boolean }): ResultStep[];
}

export interface ResultReaderOptions {
  runId: string;
  /** Whether a run without any message is a failure. */
  expectsReply: boolean;
}

export function createResultReader({ runId, expectsReply }: ResultReaderOptions): ResultReader {
  let ended = false;
  let deltas = "";
  let deltaBytes = 0;
  let messages = 0;
  let lastSequence = 0;

  const end = (outcome: RunnerEnd): ResultStep[] => {
    ended = true;
    return [{ kind: "end", end: outcome }];
  };
  const failWith = (code: RunnerErrorCode, message: string, retryable = false) =>
    end({ kind: "failed", code, runnerCode: null, message, retryable });
  const complain = (text: string): ResultStep => ({ kind: "warning", text });

  /** What was streamed and never completed is a message as well: the reader of the chat has seen it. */
  const joinDeltas = (): ResultStep[] => {
    if (deltas === "" || messages > 0) return [];
    messages++;
    return [{ kind: "message", message: { role: "assistant", content: deltas } }];
  };

  /** The message that deltas are joined into has the limit of any other. What is streamed after that is streamed only. */
  const addDelta = (text: string): ResultStep[] => {
    if (deltaBytes > RUNNER_LIMITS.resultBytes) return [];
    deltaBytes += Buffer.byteLength(text);
    const isOver = deltaBytes > RUNNER_LIMITS.resultBytes;
    deltas += isOver ? MARK : text;
    return isOver ? [complain("The text of all results message.delta was too long. Their message was cut.")] : [];
  };

  const complete = (finishReason: string, last: Message | null, usage?: ResultPayload<"run.completed">["usage"]) => {
    const steps = messages === 0 && last ? takeMessage(last) : joinDeltas();
    if (messages === 0 && expectsReply)
      return [...steps, ...failWith("runner.no_output", "The runner ended without a message.")];
    return [...steps, ...end({ kind: "completed", finishReason, usage })];
  };

  const takeMessage = (message: Message): ResultStep[] => {
    if (readText(message) === "" && !Array.isArray(message.content)) return [];
    messages++;
    return [{ kind: "message", message }];
  };

  const takeArtifact = ({ content_base64, ...facts }: ResultPayload<"artifact.created">): ResultStep[] => {
    if (content_base64 === undefined) return [{ kind: "artifact", facts, content: null }];
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(content_base64) || content_base64.length % 4 !== 0)
      return failWith("runner.protocol", "The content of an artifact is not base64.");
    const content = Buffer.from(content_base64, "base64");
    if (content.length > RUNNER_LIMITS.inlineArtifactBytes)
      return failWith("runner.protocol", `An artifact has more than ${RUNNER_LIMITS.inlineArtifactBytes} bytes.`);
    return [{ kind: "artifact", facts, content }];
  };

  const takePayload = (type: ResultType, data: unknown): ResultStep[] => {
    switch (type) {
      case "message.delta": {
        const text = readText(RESULT_PAYLOADS[type].parse(data).chunk);
        return [...addDelta(text), ...(text === "" ? [] : [{ kind: "delta", text } as const])];
      }
      case "message.completed":
        return takeMessage(RESULT_PAYLOADS[type].parse(data).message);
      case "tool.call.started":
      case "tool.call.completed":
        return [{ kind: "tool", type, data: RESULT_PAYLOADS[type].parse(data) }];
      case "artifact.created":
        return takeArtifact(RESULT_PAYLOADS[type].parse(data));
      case "state.updated":
        return [{ kind: "state", ...RESULT_PAYLOADS[type].parse(data) }];
      case "action.requested":
        return [{ kind: "action", ...RESULT_PAYLOADS[type].parse(data) }];
      case "run.completed": {
        const { finish_reason, message, usage } = RESULT_PAYLOADS[type].parse(data);
        return complete(finish_reason, message ?? null, usage);
      }
      case "run.failed": {
        const { code, error, retryable } = RESULT_PAYLOADS[type].parse(data);
        const outcome = { kind: "failed", code: "runner.failed", runnerCode: code, message: error, retryable } as const;
        return [...joinDeltas(), ...end(outcome)];
      }
      default:
        return type satisfies never;
    }
  };

  /** Null: the result is to be dropped. A number that is wrong is only complained about: nothing is reordered. */
  const checkSequence = (sequence: unknown): ResultStep[] | null => {
    if (sequence === undefined || sequence === null) return [];
    if (typeof sequence !== "number" || !Number.isInteger(sequence))
      return [complain("The sequence of a result is not a whole number.")];
    if (sequence === lastSequence && sequence > 0) return null;
    const isNext = sequence === lastSequence + 1;
    const text = `The result ${sequence} came after ${lastSequence}.`;
    lastSequence = Math.max(lastSequence, sequence);
    return isNext ? [] : [complain(text)];
  };

  return {
    get hasEnded() {
      return ended;
    },
    take(result) {
      if (ended) return [complain("A result came after the end of the run. It was dropped.")];
      if (isTooDeep(result))
        return failWith("runner.protocol", `A result is nested more than ${MAX_LEVELS} levels deep.`);
      const read = RunResult.safeParse(result);
      if (!read.success) return failWith("runner.protocol", "A result has no type, or is not an object.");
      const { run_id, type, data, sequence } = read.data;
      if (run_id !== undefined && run_id !== runId)
        return failWith("runner.protocol", "A result names another run than the one of its channel.");
      const notes = checkSequence(sequence);
      if (notes === null) return [complain(`The result ${sequence} came twice. The second was dropped.`)];
      if (!isResultType(type)) return [...notes, complain(`A result of the unknown type ${quote(type)} was ignored.`)];
      const checked = RESULT_PAYLOADS[type].safeParse(data);
      if (!checked.success) {
        const what = checked.error.issues[0];
        const where = what?.path.join(".") || "data";
        return [...notes, complain(`A result ${type} was dropped: ${where}: ${what?.message}.`)];
      }
      const { value, wasCut } = cutMessage(type, data);
      if (wasCut) notes.push(complain(`The text of a result ${type} was too long. It was cut.`));
      return [...notes, ...takePayload(type, value)];
    },
    finish(fault) {
      if (ended) return [];
      if (fault) return [...joinDeltas(), ...failWith(fault.code, fault.message, fault.retryable)];
      return complete("stop", null);
    },
  };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
