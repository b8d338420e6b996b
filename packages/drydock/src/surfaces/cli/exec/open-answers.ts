import { isatty } from "node:tty";
import { answerFromInput, type InputAnswers } from "../../terminal/answer-from-input.ts";
import type { CommandContext } from "../command-context.ts";

/** Answers to the code from this command's standard input; undefined where that is the code, or nobody could see a question. */
export function openAnswers(
  { terminal }: Pick<CommandContext, "terminal">,
  { file, stdin, json }: { file?: string; stdin?: string; json?: boolean },
): InputAnswers | undefined {
  if (!terminal.input || file === "-" || stdin !== undefined || (json && isatty(0))) return undefined;
  return answerFromInput(terminal.input, () => terminal.err("\n"));
}
