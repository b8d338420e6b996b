import * as z from "zod";
import { CheckSource, ControlEvidence, StrengthEvidence, TestEvidence } from "./proof/proof.ts";
import { VERDICTS } from "./run/event-types.ts";

const text = z.string().min(1);
const path = text.describe("Path of the file, relative to the workspace.");
const within = (seconds: number) =>
  z
    .number()
    .positive()
    .optional()
    .describe(`Seconds that it may take. Default: ${seconds}. The policy's \`limits.wallSeconds\` is the most.`);
const cmd = text.describe("A bash command line, such as `pytest -q`. The policy must allow every command in it.");
const exitStatus = z
  .number()
  .int()
  .min(0)
  .max(255)
  .optional()
  .describe("The exit status that it must end with. Default: 0.");
const needle = z.string().describe("The text that must be there, as it stands.");
/** What every check may carry. A planner may not write `sufficient`. */
const named = {
  name: text.optional().describe("A name for people. Default: made from the check."),
  sufficient: z
    .boolean()
    .optional()
    .describe(
      "True: a person declares that passing is proof enough, even if it passes without the change, too (a refactoring). Plans of models can't set it.",
    ),
};
const withService = {
  start: text
    .optional()
    .describe(
      "A command line that starts a service in the same sandbox before the check: `python3 -m http.server 8000`.",
    ),
};
const withReport = {
  junit: text
    .optional()
    .describe("Path or glob of the JUnit XML that the command writes, for test runners that Drydock does not know."),
};
const commandFields = { timeout: within(300), expect_exit_code: exitStatus, ...withReport, ...withService, ...named };

function ofType<T extends string>(type: T, meaning: string) {
  return z.literal(type).describe(meaning);
}

/**
 * One thing that must hold of a tree. Names of types and fields are a contract. A check is data: its author (often a
 * model) decides what is checked, never how it is judged.
 */
export const Check = z.discriminatedUnion("type", [
  z.strictObject({ type: ofType("file_exists", "The path must exist."), path, ...named }),
  z.strictObject({ type: ofType("file_absent", "The path must not exist."), path, ...named }),
  z.strictObject({ type: ofType("file_contains", "The file must contain a text."), path, needle, ...named }),
  z.strictObject({
    type: ofType("file_matches", "The file must match a pattern."),
    path,
    pattern: text.describe("A JavaScript regular expression, found anywhere in the file; `^` and `$` match at lines."),
    ...named,
  }),
  z.strictObject({
    type: ofType("unchanged", "Files must be as they were before the task."),
    paths: z.array(text).min(1).describe("Paths or globs, relative to the workspace."),
    ...named,
  }),
  z.strictObject({ type: ofType("command", "A command must end with a certain exit status."), cmd, ...commandFields }),
  z.strictObject({
    type: ofType("command_contains", "A command must print a text on standard output or error."),
    cmd,
    needle,
    ...commandFields,
  }),
  z.strictObject({
    type: ofType("json_schema", "The JSON file must be valid by a schema."),
    path,
    schema: z
      .union([z.boolean(), z.record(z.string(), z.unknown())])
      .describe("A JSON Schema: draft 2020-12, or the draft that its `$schema` names."),
    ...named,
  }),
  z.strictObject({
    type: ofType("http_check", "An address must answer a GET request. Redirects are not followed."),
    url: text.describe(
      "An http or https address, such as `http://127.0.0.1:8000/`. Other hosts need the policy's consent.",
    ),
    expected_status: z.number().int().min(100).max(599).optional().describe("The HTTP status. Default: 200."),
    contains: z.string().optional().describe("A text that the answer must contain. Default: any answer will do."),
    timeout: within(10),
    ...withService,
    ...named,
  }),
  z.strictObject({
    type: ofType("python", "A Python expression must be true."),
    expression: text.describe(
      "The expression; `tree.read(path)`, `tree.exists`, `tree.json` and `tree.paths` read the files.",
    ),
    timeout: within(60),
    ...named,
  }),
]);
export type Check = z.infer<typeof Check>;
export type CheckType = Check["type"];

export const CheckVerdict = z
  .enum(["passed", "failed", "refused"])
  .describe("What came of the check. `refused`: the policy does not allow the check itself, so it never passes.");
export type CheckVerdict = z.infer<typeof CheckVerdict>;

/** Codes of implied rules, which hold for every task: results with `implied` fail with one of them. */
export const GuardCode = z.enum(["changed", "input_changed", "takes_over", "too_weak", "unstable"]);
export type GuardCode = z.infer<typeof GuardCode>;

export const CheckResult = z.object({
  type: z.string().describe("Type of the check, such as `command`."),
  name: z.string().optional().describe("Name that the check was given, for people."),
  verdict: CheckVerdict,
  reason: z.string().describe("One sentence: what was found, and what is not as it should be."),
  code: z.string().describe("Why it failed or was refused, for programs: `missing`, `exit_code`, `illegal_path`, …"),
  evidence: z.record(z.string(), z.unknown()).describe("What it saw, such as `exitCode`, `stdout` and `stderr`."),
  durationMs: z.number().describe("Time that it took, in milliseconds."),
  treeHash: z.string().describe("Hash of the directory that it judged."),
  check: z.record(z.string(), z.unknown()).describe("The check as it was requested."),
  implied: z
    .boolean()
    .optional()
    .describe("True for a rule that holds for every task, such as that tests stay as they are."),
  alsoPassesBefore: z
    .boolean()
    .optional()
    .describe("True: it passes without the change as well, and proves nothing about it. Absent: not tried."),
  proves: z
    .boolean()
    .optional()
    .describe("True: it fails without the change, so it shows that the change does something. Absent: not tried."),
  doubt: z.string().optional().describe("Why it proves nothing although it passes."),
  source: CheckSource.optional().describe("The source of the check. Default: `plan`, which a model may have written."),
  tests: TestEvidence.optional().describe("Results test by test, where the check runs tests."),
  control: ControlEvidence.optional().describe(
    "The negative control: whether the check fails when something is made wrong.",
  ),
  strength: StrengthEvidence.optional().describe("How many small faults in the change the checks notice."),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** `verification.json`: what was proved, on which tree. */
export const Verification = z.object({
  verdict: z.enum(VERDICTS).describe("What the checks proved together: only `passed` is proof."),
  treeHash: z.string().describe("Hash of the directory that was judged."),
  baseHash: z.string().describe("Hash of the directory without the change."),
  checks: z.array(CheckResult).describe("One result for each check."),
  reason: z.string().optional().describe("What was proved, or why nothing was, in one sentence."),
  doubt: z.string().optional().describe("Why nothing is proved, without advice for people."),
  declared: z
    .boolean()
    .optional()
    .describe("True: `passed` rests on a person who declared a check sufficient; no check shows an effect."),
  repeated: z.number().int().describe("How often everything was done again, because the directory changed meanwhile."),
});
export type Verification = z.infer<typeof Verification>;
