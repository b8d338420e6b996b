import type { ErrorCode } from "@drydock/protocol";
import type { Message, ResultPayload } from "@drydock/protocol/runner";

/** How a run of a runner ended, by its own results. */
export type RunnerEnd =
  | { kind: "completed"; finishReason: string; usage: ResultPayload<"run.completed">["usage"] }
  /** `runnerCode` is the runner's own code, word for word. Null where the host found the fault. */
  | {
      kind: "failed";
      code: RunnerErrorCode;
      runnerCode: string | null;
      message: string;
      retryable: boolean;
      hint?: string;
    };

/** Codes of faults of a runner, which end its run. */
export type RunnerErrorCode = Extract<
  ErrorCode,
  | "runner.failed"
  | "runner.no_output"
  | "runner.protocol"
  | "runner.timeout"
  | "runner.channel_lost"
  | "runner.unavailable"
>;

/** What the host does because of a result, in order. */
export type ResultStep =
  | { kind: "delta"; text: string }
  /** A message that is complete. It is delivered and kept once. */
  | { kind: "message"; message: Message }
  | { kind: "tool"; type: "tool.call.started" | "tool.call.completed"; data: Record<string, unknown> }
  | { kind: "artifact"; facts: Omit<ResultPayload<"artifact.created">, "content_base64">; content: Buffer | null }
  | ({ kind: "state" } & ResultPayload<"state.updated">)
  | ({ kind: "action" } & ResultPayload<"action.requested">)
  | { kind: "warning"; text: string }
  | { kind: "end"; end: RunnerEnd };
