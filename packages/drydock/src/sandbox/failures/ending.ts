import type { LimitName } from "@drydock/protocol";
import * as z from "zod";

const MAX_CHARS = 100_000;
/** A terminal must not obey this text: control characters other than tabs and newlines are removed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const text = z.string().transform((raw) => raw.slice(0, MAX_CHARS).replace(CONTROL, ""));
const count = z.number().int();

/** What the guard refused before anything ran. */
const GuardViolation = z.object({
  code: z.enum(["policy.import_denied", "policy.call_denied"]),
  name: text,
  /** What the code was compiled as. */
  file: text.optional(),
  line: count,
  column: count,
  what: z.enum([
    ...(["importing", "reaching", "relative", "calling", "attribute", "table", "argument", "unwritten"] as const),
    ...(["string", "unchecked"] as const),
  ]),
  /** The name that the rules hold, of which `name` may be a part. */
  reason: text,
  /** Who could let it through, or what to do otherwise. */
  advice: z.enum(["block", "never", "add", "lift", "call-block", "full-name", "flatter", "unknown"]),
});
export type GuardViolation = z.infer<typeof GuardViolation>;

/** An exception as the interpreter inside tells it. Python has `errno`, `bases` and `chain`; Node has `code`. */
const ExceptionReport = z.object({
  type: text,
  /** The types that it is a kind of, nearest first. */
  bases: z.array(text).default([]),
  message: text.default(""),
  traceback: text.optional(),
  stack: text.optional(),
  /** The types of its causes, nearest first. */
  chain: z.array(text).default([]),
  line: count.optional(),
  column: count.optional(),
  errno: count.optional(),
  /** Node's name for the error, `ENOENT` or `ERR_MODULE_NOT_FOUND`, its own or its cause's. */
  code: text.optional(),
  path: text.optional(),
  /** The module that was not found. */
  module: text.optional(),
  /** Present only where the text could not be compiled. */
  syntax: z.object({ line: count, column: count.optional(), text: text.optional(), file: text.optional() }).optional(),
});
export type ExceptionReport = z.infer<typeof ExceptionReport>;

const RunReport = z.object({
  outcome: z.enum(["ok", "exception", "exit"]),
  exception: ExceptionReport.optional(),
  guard: GuardViolation.optional(),
});
export type RunReport = z.infer<typeof RunReport>;

/**
 * Reads what the interpreter inside says of its end. It only ever adds detail to an end that a trusted process saw, so that
 * a report which does not fit (the code may have written it) is as good as none.
 */
export function readReport(value: unknown): RunReport | undefined {
  return RunReport.safeParse(value).data;
}

/** How a run ended, as the trusted process outside of the code saw it. */
export type Ending =
  | { kind: "exited"; exitCode: number; report?: RunReport }
  | { kind: "signalled"; signal: string; report?: RunReport }
  /** `value` is the limit that was reached, in the unit of its policy key. */
  | { kind: "limit"; limit: LimitName; value: number }
  | { kind: "cancelled" }
  | { kind: "lost"; reason: string };
