import { ArtifactRef, Change, type ExecResult, SandboxReport, Usage } from "@drydock/protocol";
import * as z from "zod";
import { type Answer, shorten } from "./answer.ts";

/** What an execution gives, beside `ok` and `error`. */
export const executionOutput = {
  runId: z.string().describe("Names the run in the ledger; run_diff and the drydock://runs resources take it"),
  stdout: z.string(),
  stderr: z.string(),
  result: z.unknown().describe("The variable `result`, else the value of the last expression"),
  artifacts: z.array(ArtifactRef).describe("Files that the code made; drydock://runs/{runId}/artifacts/{id} reads one"),
  changes: z.array(Change).describe("What it changed in its layer. The workspace itself is as it was"),
  treeHash: z.string(),
  usage: Usage,
  sandbox: SandboxReport,
  notes: z.array(z.string()),
  shortened: z.array(z.string()).describe("Which of these fields were too long and were cut"),
} satisfies z.ZodRawShape;

/** A model's context is worth more than the middle of a long output. */
const MAX_OUTPUT_CHARS = 50_000;
const MAX_RESULT_CHARS = 100_000;
const MAX_CHANGES = 500;

export function answerExecution(execution: ExecResult, more: Record<string, unknown> = {}): Answer {
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
