import { explainIssues } from "@drydock/protocol";
import {
  isResultType,
  type Message,
  RESULT_PAYLOADS,
  type ResultPayload,
  RUNNER_LIMITS,
  RunResult,
  readText,
  TERMINAL_RESULTS,
} from "@drydock/protocol/runner";

export interface Collected {
  /** All results that a host accepts, in order, with the values that it fills in. */
  readonly results: RunResult[];
  /** The result that ended the run; null where the runner gave none. */
  readonly end: RunResult | null;
  readonly text: string;
  take(result: unknown): void;
}

export interface CollectOptions {
  runId: string;
  warn(text: string): void;
  onState(data: ResultPayload<"state.updated">): void;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads results as a host does: what is not valid is dropped with a warning, faults against the protocol end the run. */
export function collectResults({ runId, warn, onState }: CollectOptions): Collected {
  const results: RunResult[] = [];
  const messages: Message[] = [];
  let deltas = "";
  let end: RunResult | null = null;

  const keep = (result: RunResult) => {
    results.push(result);
    if ((TERMINAL_RESULTS as readonly string[]).includes(result.type)) end = result;
  };
  const fail = (error: string) => {
    warn(error);
    keep({ type: "run.failed", data: { code: "runner.protocol", error, retryable: false } });
  };

  return {
    results,
    get end() {
      return end;
    },
    get text() {
      return messages.length > 0 ? messages.map(readText).join("\n") : deltas;
    },
    take(result) {
      if (end !== null) return;
      const read = RunResult.safeParse(result);
      if (!read.success)
        return fail(`A result is not valid: ${explainIssues(read.error.issues, "result").join("; ")}.`);
      const { type, run_id } = read.data;
      if (run_id !== undefined && run_id !== runId) return fail(`A result names the run ${JSON.stringify(run_id)}.`);
      if (!isResultType(type)) return warn(`A result of the unknown type ${JSON.stringify(type)} is ignored.`);
      const payload = RESULT_PAYLOADS[type].safeParse(read.data.data);
      if (!payload.success)
        return warn(`A ${type} was dropped: ${explainIssues(payload.error.issues, "data").join("; ")}.`);
      const data = payload.data as Record<string, unknown>;
      if (type === "artifact.created" && typeof data.content_base64 === "string") {
        if (!BASE64.test(data.content_base64)) return fail("The content of an artifact is not base64.");
        if (Buffer.byteLength(data.content_base64, "base64") > RUNNER_LIMITS.inlineArtifactBytes)
          return fail(`An artifact has more than ${RUNNER_LIMITS.inlineArtifactBytes} bytes.`);
      }
      if (Buffer.byteLength(JSON.stringify(data)) > RUNNER_LIMITS.resultBytes)
        warn(`A ${type} has more than ${RUNNER_LIMITS.resultBytes} bytes: a host cuts its text.`);
      if (type === "message.delta") deltas += readText(data.chunk as Message);
      if (type === "message.completed") messages.push(data.message as Message);
      if (type === "run.completed" && data.message && messages.length === 0) messages.push(data.message as Message);
      if (type === "state.updated") onState(data as ResultPayload<"state.updated">);
      keep({ ...read.data, data });
    },
  };
}
