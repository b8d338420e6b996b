import * as z from "zod";
import { Check } from "./check.ts";
import { explainIssue } from "./errors/explain-issue.ts";

export const CheckEntry = z
  .union([z.string().min(1), Check])
  .describe("A command line that must end with status 0, or a check as an object. Text that starts with `{` is JSON.");
export type CheckEntry = z.infer<typeof CheckEntry>;

/** A check that a person requires of the whole result, whatever the plan says. */
export const RequiredCheck = z.strictObject({ source: z.enum(["user", "owner", "workspace"]), check: Check });
export type RequiredCheck = z.infer<typeof RequiredCheck>;

type ReadCheckEntry =
  | { ok: true; check: Check }
  /** `path` leads to what is wrong, inside the entry. */
  | { ok: false; path: PropertyKey[]; problem: string };

/** Reads a check as people write it: a command line, a check as an object, or one as JSON text. */
export function readCheckEntry(entry: unknown): ReadCheckEntry {
  if (typeof entry !== "string") return readObject(entry);
  if (entry.trim() === "") return { ok: false, path: [], problem: "the command line is empty" };
  if (!isJson(entry)) return { ok: true, check: { type: "command", cmd: entry } };
  try {
    return readObject(JSON.parse(entry));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, path: [], problem: `it starts with { but is not valid JSON: ${reason}` };
  }
}

/** A check as text that `readCheckEntry` reads back; equal checks give equal texts. */
export function writeCheckEntry(check: Check): string {
  const isPlain = check.type === "command" && Object.keys(check).length === 2 && !isJson(check.cmd);
  return isPlain ? check.cmd : JSON.stringify(check);
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

function readObject(value: unknown): ReadCheckEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, path: [], problem: "must be a command line, or a map with a type" };
  }
  const types = Check.options.map((option) => option.shape.type.value);
  const type = Object.hasOwn(value, "type") ? Reflect.get(value, "type") : undefined;
  if (!types.some((known) => known === type)) {
    const problem = type === undefined ? "has no type" : `${JSON.stringify(type)} is not a check type`;
    return {
      ok: false,
      path: type === undefined ? [] : ["type"],
      problem: `${problem}; the types are ${types.join(", ")}`,
    };
  }
  const parsed = Check.safeParse(value);
  if (parsed.success) return { ok: true, check: parsed.data };
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    return { ok: false, path: [issue.keys[0] ?? ""], problem: `unknown key for a check of the type ${type}` };
  }
  const path = issue?.path ?? [];
  const problem = issue ? explainIssue(issue) : "can't be read";
  const isMissing = path.length === 1 && !Object.hasOwn(value, path[0] ?? "");
  if (isMissing) return { ok: false, path: [], problem: `a check of the type ${type} needs ${String(path[0])}` };
  return { ok: false, path, problem };
}
