import type { CodeAttempt, StepOutcome } from "@drydock/protocol";
import { shorten } from "./answer.ts";

const MAX_OUTPUT_CHARS = 20_000;
const MAX_RESULT_CHARS = 50_000;

type Shortened = Pick<StepOutcome, "output" | "stderr" | "result" | "attempts">;

/** The parts of a step that may be long, at a bearable length. */
export function shortenStep({ output, stderr, result, attempts }: StepOutcome): Shortened {
  return { ...shortenOutput({ output, stderr, result }), attempts: attempts.map(shortenAttempt) };
}

function shortenAttempt(attempt: CodeAttempt): CodeAttempt {
  return { ...attempt, ...shortenOutput(attempt) };
}

function shortenOutput({ output, stderr, result }: Pick<StepOutcome, "output" | "stderr" | "result">) {
  const encoded = JSON.stringify(result) ?? "null";
  return {
    output: shorten(output, MAX_OUTPUT_CHARS),
    stderr: shorten(stderr, MAX_OUTPUT_CHARS),
    result: encoded.length > MAX_RESULT_CHARS ? { type: "json", repr: shorten(encoded, MAX_RESULT_CHARS) } : result,
  };
}

export function describeStep({ output, result, verdict, notes, error }: StepOutcome): string {
  const encoded = JSON.stringify(result) ?? "null";
  return [
    shorten(output.trimEnd(), MAX_OUTPUT_CHARS),
    encoded === "null" ? "" : `result: ${shorten(encoded, MAX_RESULT_CHARS)}`,
    verdict === "unverified" ? "" : `verdict: ${verdict}`,
    ...notes.map((note) => `note: ${note}`),
    error ? `${error.code}: ${error.message}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}
