import type { CallOptions, StreamedEvent } from "@drydock/client";
import type { ExecResult } from "@drydock/protocol";
import { toError } from "./client.ts";
import { addOutput, type Execution, NOT_RUN } from "./execution.ts";

/** What comes in quick succession is shown together. */
const GATHER_MS = 50;

type Call<R> = (options: CallOptions) => Promise<R>;

/** Carries a call out, and tells what is known of it each time that this changes. Null: the server refused it. */
export async function carryOut<R extends ExecResult>(
  call: Call<R>,
  signal: AbortSignal,
  onChange: (execution: Execution) => void,
): Promise<R | null> {
  let now: Execution = { ...NOT_RUN, state: "running" };
  let timer: number | undefined;
  const tell = () => {
    window.clearTimeout(timer);
    timer = undefined;
    onChange(now);
  };
  const hear = ({ event, data }: StreamedEvent) => {
    now = hearEvent(now, event, Object(data) as Record<string, unknown>);
    timer ??= window.setTimeout(tell, GATHER_MS);
  };
  tell();
  try {
    const result = await call({ signal, onEvent: hear });
    now = { ...now, ...readResult(result) };
    return result;
  } catch (error) {
    const { code, message, hint } = toError(error);
    // Whoever has stopped it needs no reason.
    if (signal.aborted) now = { ...now, state: "cancelled", asks: null };
    else now = { ...now, state: "failed", asks: null, error: { code, message, hint } };
    return null;
  } finally {
    tell();
  }
}

function hearEvent(execution: Execution, event: string, data: Record<string, unknown>): Execution {
  if (event === "started") return { ...execution, runId: String(data.runId) };
  if (event === "input") return { ...execution, asks: { hidden: data.hidden === true } };
  if (event !== "output") return execution;
  const stream = data.stream === "stderr" ? "stderr" : "stdout";
  return { ...execution, output: addOutput(execution.output, { stream, text: String(data.text) }) };
}

function readResult({ ok, runId, result, error, artifacts, notes, usage }: ExecResult): Partial<Execution> {
  const state = ok ? "ok" : error?.code === "run.cancelled" ? "cancelled" : "failed";
  return { state, runId, result, error, artifacts, notes, wallMs: usage.wallMs, asks: null };
}
