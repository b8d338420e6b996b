import { delta, type RunnerResult, toolCompleted, toolStarted } from "@drydock/runner-sdk";
import type { SessionUpdate } from "./connect-agent.ts";

const RESULT_CHARS = 10_000;

/** What happens in a turn, as results. Text that comes in one piece from the agent is one delta. */
export function createResults() {
  const waiting: RunnerResult[] = [];
  const names = new Map<string, string>();
  let text = "";
  let unsent = "";
  let wake = () => {};

  const flush = () => {
    if (unsent !== "") waiting.push(delta(unsent));
    unsent = "";
  };
  return {
    /** All text so far. */
    text: () => text,
    take(update: SessionUpdate) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
        text += update.content.text;
        unsent += update.content.text;
      } else if (update.sessionUpdate === "tool_call") {
        flush();
        names.set(update.toolCallId, update.title);
        waiting.push(toolStarted(update.toolCallId, update.title, asObject(update.rawInput)));
        if (isOver(update.status)) waiting.push(complete(update));
      } else if (update.sessionUpdate === "tool_call_update" && isOver(update.status)) {
        flush();
        waiting.push(complete(update));
      }
      wake();
    },
    /** Results until `turn` is over, and those that are left then. */
    async *until(turn: Promise<unknown>): AsyncGenerator<RunnerResult, void, void> {
      let isDone = false;
      const done = () => {
        isDone = true;
        wake();
      };
      turn.then(done, done);
      for (;;) {
        flush();
        const next = waiting.shift();
        if (next) yield next;
        else if (isDone) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };

  function complete({ toolCallId, status, title, content, rawOutput }: ToolEnd): RunnerResult {
    const name = names.get(toolCallId) ?? title ?? "tool";
    const shown = JSON.stringify(rawOutput ?? content ?? null).slice(0, RESULT_CHARS);
    return toolCompleted(toolCallId, name, status === "failed" ? { error: shown } : { result: shown });
  }
}

type ToolEnd = Pick<
  Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>,
  "toolCallId" | "status" | "title" | "content" | "rawOutput"
>;

function isOver(status: string | null | undefined): boolean {
  return status === "completed" || status === "failed";
}

function asObject(value: unknown): Record<string, unknown> {
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  const text = isPlain ? JSON.stringify(value) : "{}";
  return text.length > RESULT_CHARS ? { cut: text.slice(0, RESULT_CHARS) } : JSON.parse(text);
}
