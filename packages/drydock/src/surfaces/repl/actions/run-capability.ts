import { type CapabilityOutcome, type ErrorInfo, EXIT_STATUS } from "@drydock/protocol";
import { findNearestWord } from "../../../base/text/index.ts";
import { renderCapability } from "../../terminal/render/render-capability.ts";
import type { ReplContext } from "../repl-context.ts";
import { createAsker } from "./ask-approval.ts";

/** A line for an extension; what it says is shown as it comes. Gives the exit status. */
export async function runCapability(
  repl: ReplContext,
  line: string,
  own: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { dock, screen, conversation, workspace, model } = repl;
  const { errColors } = screen.terminal;
  let hasOutput = false;
  const outcome = await dock.extensions.execute(line, {
    ...{ session: conversation, workspace, model, signal },
    approval: createAsker(repl) ?? "deny",
    onOutput(chunk) {
      hasOutput ||= chunk.stream === "stdout";
      screen.output(chunk);
    },
    onQueued: (position) =>
      screen.note(`waiting for its turn: ${position === 1 ? "next" : `${position - 1} before it`}`),
  });
  if (!hasOutput && outcome.type === "capability_result") screen.words(outcome.output);
  screen.aside(renderCapability(orOwn(outcome, line, own), errColors));
  return outcome.type === "capability_error" ? EXIT_STATUS[outcome.error.code] : 0;
}

/** A misspelt command may be one of the REPL's own. */
function orOwn(outcome: CapabilityOutcome, line: string, own: readonly string[]): CapabilityOutcome {
  const [word = ""] = line.split(/\s/, 1);
  if (outcome.type !== "capability_error" || outcome.error.word !== word) return outcome;
  if (outcome.error.suggestion !== undefined) return outcome;
  const near = findNearestWord(word.slice(1), own);
  const hint = near === undefined ? "/help lists the commands." : `Did you mean /${near}?`;
  const error: ErrorInfo = { ...outcome.error, hint };
  return { ...outcome, error };
}
