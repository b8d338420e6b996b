import { ExecResult } from "@drydock/protocol";
import * as z from "zod";
import { shorten, type ToolAnswer } from "./answer.ts";

/** What an execution gives, beside `ok` and `error`. How it was isolated is there as well, and not described: models don't ask. */
const { ok: _ok, error: _error, sandbox: _sandbox, ...fields } = ExecResult.shape;
export const executionOutput = {
  ...fields,
  runId: z.string().describe("Id of the run, for run_diff, run_apply and the drydock://runs/{runId} resources."),
  artifacts: fields.artifacts.describe("Files that the code made; drydock://runs/{runId}/artifacts/{id} reads one."),
  shortened: z.array(z.string()).describe("Names of the fields that were too long and were cut."),
} satisfies z.ZodRawShape;

/** A model's context is worth more than the middle of a long output. */
const MAX_OUTPUT_CHARS = 50_000;
const MAX_RESULT_CHARS = 100_000;
const MAX_CHANGES = 500;

export function answerExecution(execution: ExecResult, more: Record<string, unknown> = {}): ToolAnswer {
  const { stdout, stderr, result, error, changes, runId, artifacts } = execution;
  const encoded = JSON.stringify(result) ?? "null";
  const isLong = encoded.length > MAX_RESULT_CHARS;
  const shortened = [
    ...(stdout.length > MAX_OUTPUT_CHARS ? ["stdout"] : []),
    ...(stderr.length > MAX_OUTPUT_CHARS ? ["stderr"] : []),
    ...(isLong ? ["result"] : []),
    ...(changes.length > MAX_CHANGES ? ["changes"] : []),
  ];
  const { ok: _ok, error: _error, ...fields } = execution;
  const value = {
    ...fields,
    ...more,
    stdout: shorten(stdout, MAX_OUTPUT_CHARS),
    stderr: shorten(stderr, MAX_OUTPUT_CHARS),
    result: isLong ? { type: "json", repr: shorten(encoded, MAX_RESULT_CHARS) } : (result ?? null),
    changes: changes.slice(0, MAX_CHANGES),
    shortened,
  };
  return { error, value, text: describeExecution(value, encoded), files: { runId, artifacts } };
}

function describeExecution(
  { stdout, stderr, changes, notes }: Pick<ExecResult, "stdout" | "stderr" | "changes" | "notes">,
  result: string,
): string {
  return [
    stdout.trimEnd(),
    stderr.trim() === "" ? "" : `stderr:\n${stderr.trimEnd()}`,
    result === "null" ? "" : `result: ${shorten(result, MAX_OUTPUT_CHARS)}`,
    changes.length === 0 ? "" : `changed: ${changes.map(({ kind, path }) => `${path} (${kind})`).join(", ")}`,
    ...notes.map((note) => `note: ${note}`),
  ]
    .filter((part) => part !== "")
    .join("\n");
}
