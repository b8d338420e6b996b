import type { MessageInput, ResultInput, StateScope } from "@drydock/protocol/runner";
import type { RunnerResult } from "./runner.ts";

/** The next part of the message. */
export function delta(text: string): RunnerResult {
  return { type: "message.delta", data: { chunk: { role: "assistant", content: text } } };
}

/** A whole message, after deltas or without them. */
export function message(content: string | MessageInput): RunnerResult {
  const data = typeof content === "string" ? { role: "assistant" as const, content } : content;
  return { type: "message.completed", data: { message: data } };
}

/** The run is over. Nothing may follow. */
export function completed(data: Partial<ResultInput<"run.completed">> = {}): RunnerResult {
  return { type: "run.completed", data: { finish_reason: "stop", ...data } };
}

/** The run is over, and failed. Nothing may follow. */
export function failed(code: string, error: string, { retryable = false } = {}): RunnerResult {
  return { type: "run.failed", data: { code, error, retryable } };
}

/** A file or a picture: up to 1 MiB in `content_base64`, or the id of one that the host has. */
export function artifact(data: ResultInput<"artifact.created">): RunnerResult {
  return { type: "artifact.created", data };
}

/** A value that the host keeps for later runs, where its policy allows that. */
export function setState(scope: StateScope, key: string, value: ResultInput<"state.updated">["value"]): RunnerResult {
  return { type: "state.updated", data: { scope, key, value } };
}

/** Asks the host to do something on the platform. It may refuse, or ask a person first. */
export function requestAction(
  action: string,
  data: Omit<ResultInput<"action.requested">, "action"> = {},
): RunnerResult {
  return { type: "action.requested", data: { action, ...data } };
}

export function toolStarted(id: string, name: string, parameters: Record<string, unknown> = {}): RunnerResult {
  return { type: "tool.call.started", data: { tool_call_id: id, tool_name: name, parameters } };
}

export function toolCompleted(id: string, name: string, end: { result?: unknown; error?: string }): RunnerResult {
  return { type: "tool.call.completed", data: { tool_call_id: id, tool_name: name, ...end } };
}
