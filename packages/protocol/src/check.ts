import * as z from "zod";
import { VERDICTS } from "./event-types.ts";
import { CheckSource, ControlEvidence, StrengthEvidence, TestEvidence } from "./proof.ts";

const path = z.string().min(1);
const seconds = z.number().positive();
/** A command line, run by the shell inside; every command in it must be on the policy's list. */
const commandLine = z.string().min(1);
/**
 * What every check may carry: a name for people; and a person's word that the check is proof enough, even where it passes
 * without the change as well (a refactoring). A planner may not give that word.
 */
const named = { name: z.string().min(1).optional(), sufficient: z.boolean().optional() };
/** A service that is started inside the same sandbox before the check itself, and ends with it. */
const withService = { start: commandLine.optional() };
/** Where the command writes JUnit XML (a path or glob), for test runners that are not asked directly. */
const withReport = { junit: path.optional() };

/**
 * One thing that must hold of a tree. Names of types and fields are a contract. A check is data: who wrote it (often a
 * model) decides what is asked, never how it is judged.
 */
export const Check = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("file_exists"), path, ...named }),
  z.strictObject({ type: z.literal("file_absent"), path, ...named }),
  z.strictObject({ type: z.literal("file_contains"), path, needle: z.string(), ...named }),
  /** A regular expression in JavaScript's syntax, found anywhere in the file; `^` and `$` match at lines. */
  z.strictObject({ type: z.literal("file_matches"), path, pattern: z.string().min(1), ...named }),
  /** Paths (globs) that must be as they were before the task. */
  z.strictObject({ type: z.literal("unchanged"), paths: z.array(path).min(1), ...named }),
  z.strictObject({
    type: z.literal("command"),
    cmd: commandLine,
    timeout: seconds.optional(),
    expect_exit_code: z.number().int().min(0).max(255).optional(),
    ...withReport,
    ...withService,
    ...named,
  }),
  z.strictObject({
    type: z.literal("command_contains"),
    cmd: commandLine,
    needle: z.string(),
    timeout: seconds.optional(),
    /** Default 0. */
    expect_exit_code: z.number().int().min(0).max(255).optional(),
    ...withReport,
    ...withService,
    ...named,
  }),
  /** A JSON Schema: draft 2020-12, or the one that its `$schema` names. */
  z.strictObject({
    type: z.literal("json_schema"),
    path,
    schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]),
    ...named,
  }),
  z.strictObject({
    type: z.literal("http_check"),
    url: z.string().min(1),
    expected_status: z.number().int().min(100).max(599).optional(),
    contains: z.string().optional(),
    timeout: seconds.optional(),
    ...withService,
    ...named,
  }),
  /** A Python expression, evaluated in the tree's directory; `tree` reads files. It must be true. */
  z.strictObject({ type: z.literal("python"), expression: z.string().min(1), timeout: seconds.optional(), ...named }),
]);
export type Check = z.infer<typeof Check>;
export type CheckType = Check["type"];

/** `refused`: the check itself is not allowed (an illegal path, a command or address outside the policy); it never passes. */
export const CheckVerdict = z.enum(["passed", "failed", "refused"]);
export type CheckVerdict = z.infer<typeof CheckVerdict>;

/** Codes of rules that hold for every task although nobody wrote them down: results with `implied` fail with one of them. */
export const GuardCode = z.enum(["changed", "input_changed", "takes_over", "too_weak", "unstable"]);
export type GuardCode = z.infer<typeof GuardCode>;

export const CheckResult = z.object({
  type: z.string(),
  name: z.string().optional(),
  verdict: CheckVerdict,
  /** One sentence: what was found, and where it is not as it should be. */
  reason: z.string(),
  /** For programs: why it failed or was refused, in one word such as `missing`, `exit_code`, `illegal_path`. */
  code: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  durationMs: z.number(),
  /** The tree that it was made on. */
  treeHash: z.string(),
  /** The check as it was asked. Rules that nobody wrote down (tests stay as they are) say `implied`. */
  check: z.record(z.string(), z.unknown()),
  implied: z.boolean().optional(),
  /** It passes on the untouched tree as well, and so proves nothing about the change. Absent where nobody looked. */
  alsoPassesBefore: z.boolean().optional(),
  /** Whether it shows that the change does something: it fails without it. Absent where nobody looked. */
  proves: z.boolean().optional(),
  /** Why it proves nothing although it passes. */
  doubt: z.string().optional(),
  /** Absent: `plan`. */
  source: CheckSource.optional(),
  /** Test by test, where the check runs tests. */
  tests: TestEvidence.optional(),
  control: ControlEvidence.optional(),
  strength: StrengthEvidence.optional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** `verification.json`: what was proved, on which tree. */
export const Verification = z.object({
  verdict: z.enum(VERDICTS),
  treeHash: z.string(),
  baseHash: z.string(),
  checks: z.array(CheckResult),
  /** What was proved, or why nothing was, in one sentence. */
  reason: z.string().optional(),
  /** Why nothing is proved, without the advice to people that `reason` ends with. */
  doubt: z.string().optional(),
  /** `passed` rests on a person who declared a check sufficient: none shows that the change does anything. */
  declared: z.boolean().optional(),
  /** How often the directory changed underneath, so that all was done again. */
  repeated: z.number().int(),
});
export type Verification = z.infer<typeof Verification>;
