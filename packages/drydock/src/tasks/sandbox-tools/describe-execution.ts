import type { ArtifactRef, ErrorInfo, StepOutcome } from "@drydock/protocol";
import type { ExecutionResult } from "../ports.ts";

const MAX_OUTPUT_CHARS = 16_000;
const MAX_NAMES = 50;

type Ended = Pick<
  ExecutionResult,
  "step" | "output" | "stderr" | "result" | "error" | "artifacts" | "variables" | "notes"
>;

/** The end of an execution as text for a model: output, value, error with its hint, files and variables. */
export function describeExecution(ended: Ended): string {
  const { output, stderr, result, error, variables, notes } = ended;
  const parts = [
    section("Output", shorten(output)),
    section("Standard error", shorten(stderr)),
    result === null || result === undefined ? "" : section("Result", shorten(JSON.stringify(result) ?? "")),
    describeError(error),
    describeFiles(ended.artifacts),
    section("Variables", describeVariables(variables)),
    ...notes.map((note) => section("Note", note)),
  ].filter((part) => part !== "");
  if (parts.length === 0) parts.push("The code ran to its end and printed nothing.");
  if (ended.step !== undefined) parts.push(`The session is at step ${ended.step}.`);
  return parts.join("\n\n");
}

/** The same for code that another model wrote: the code comes first. */
export function describeOutcome(outcome: StepOutcome): string {
  const code = outcome.code === "" ? "" : `Code:\n${shorten(outcome.code)}\n\n`;
  return `${code}${describeExecution(outcome)}`;
}

function describeError(error: ErrorInfo | null): string {
  if (error === null) return "";
  return `It failed, and its changes were undone. ${error.code}: ${error.message}\n${error.hint}`.trimEnd();
}

function describeFiles(artifacts: readonly ArtifactRef[]): string {
  const names = artifacts.map(({ name, mime, size }) => `${name} (${mime}, ${size} bytes)`);
  return section("Files and pictures, which the person gets as well", list(names));
}

function describeVariables(variables: Readonly<Record<string, string>>): string {
  return list(Object.entries(variables).map(([name, type]) => `${name}: ${type}`));
}

function list(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return `${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `${title}:\n${text.trimEnd()}`;
}

/** Both ends: a traceback stands at the end, and what was printed first at the beginning. */
function shorten(text: string): string {
  if (text.length <= MAX_OUTPUT_CHARS) return text;
  const half = MAX_OUTPUT_CHARS / 2;
  return `${text.slice(0, half)}\n… (${text.length - MAX_OUTPUT_CHARS} characters left out)\n${text.slice(-half)}`;
}
