import { constants } from "node:os";
import type { ErrorInfo } from "@drydock/protocol";
import type { FailureContext } from "./failure-context.ts";
import { findRefusal, hintAtRefusal, hintAtUnreachable } from "./network-refusal.ts";

/** A program that ended by itself with a status other than 0. */
export function explainExit(exitCode: number, context: FailureContext): ErrorInfo {
  const refusal = findRefusal(context);
  const reach = refusal ? hintAtRefusal(refusal, context) : hintAtUnreachable(context);
  const hints = [hintAtStatus(exitCode, context), reach];
  return {
    code: "code.exit",
    message: `The ${context.language === "command" ? "command" : "code"} ended with status ${exitCode}.`,
    hint: hints.filter(Boolean).join(" "),
    exitCode,
    ...(refusal && { refused: refusal }),
  };
}

function hintAtStatus(exitCode: number, { language }: FailureContext): string {
  const isShell = language === "bash" || language === "command";
  if (isShell && exitCode === 127) {
    return "127 stands for a command that was not found: correct its name, or use one that is installed on this machine.";
  }
  if (isShell && exitCode === 126) {
    return "126 stands for a file that can't be executed: make it executable (chmod +x), or start it with its interpreter.";
  }
  const signal = isShell && exitCode > 128 ? nameSignal(exitCode - 128) : undefined;
  if (signal === "SIGKILL" || signal === "SIGABRT") {
    return `A command was ended by ${signal}, which often means that it ran out of memory: ask for more with --memory.`;
  }
  if (signal) return `A command was ended by ${signal}: look at what it wrote to stderr.`;
  if (isShell) return "Look at stderr: the last command's own message says what went wrong.";
  return "The program chose this status itself: look at its output for the reason.";
}

function nameSignal(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
