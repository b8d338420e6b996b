import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { createLineQueue } from "../../base/waiting/index.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { RunProgram } from "../ports.ts";

import type { OpenLink } from "./link.ts";

/** Several large answers at once are no fault of a process that reads. */
const MAX_WAITING_CHARS = 4 * RUNNER_LIMITS.hostLineBytes;

/** Starts the plugin's program in the sandbox; the messages are lines of its stdin and stdout. */
export function programLink(
  { command, directory, sandbox }: Pick<Plugin, "command" | "directory" | "sandbox">,
  runProgram: RunProgram,
): OpenLink {
  return ({ onText, onLog }) => {
    const stop = new AbortController();
    const input = createLineQueue(MAX_WAITING_CHARS);
    const ended = runProgram({
      ...{ command, directory, sandbox, stdin: input.lines, signal: stop.signal },
      onOutput({ stream, text }) {
        if (stream === "stderr") onLog(text);
        else onText(text, false);
      },
    }).then(
      (error) => error?.message ?? "The process has ended.",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    void ended.then(() => input.end());
    return {
      send: (text) => input.push(`${text}\n`),
      finish: () => input.end(),
      abort: () => stop.abort(),
      ended,
    };
  };
}
