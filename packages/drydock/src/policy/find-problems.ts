import { explainIssue, PolicyDocument, readCheckEntry, writeCheckEntry } from "@drydock/protocol";
import type * as z from "zod";
import { findNearestWord } from "../base/text/index.ts";
import { findNearestKey, listKnownKeys, POLICY_KEYS, readPolicyPath } from "./policy-keys.ts";
import { readPolicyRange } from "./policy-range.ts";
import { SYSTEM_POLICY } from "./system-policy.ts";

/** One thing that is wrong with a policy, at a path of keys and list indexes. */
export interface PolicyProblem {
  path: PropertyKey[];
  /** The key itself is wrong, rather than what it holds. */
  atKey: boolean;
  message: string;
  hint: string;
}

export type CheckedPolicy = { ok: true; document: PolicyDocument } | { ok: false; problems: PolicyProblem[] };

/** Checks a policy as data: its shape, then each entry of its lists, then that no default exceeds its own ceiling. */
export function checkPolicy(value: unknown): CheckedPolicy {
  const parsed = PolicyDocument.safeParse(value);
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.flatMap((issue) => describeIssue(issue, value, [])) };
  }
  const problems = POLICY_KEYS.flatMap((key) => [
    ...findEntryProblems(parsed.data, key.path, key.describeProblem),
    ...findContradictions(parsed.data, key.path),
  ]);
  problems.push(...findRequiredProblems(parsed.data));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, document: writeRequired(parsed.data) };
}

function findRequiredProblems({ checks }: PolicyDocument): PolicyProblem[] {
  return (checks?.required ?? []).flatMap((entry, index) => describeCheckEntry(["checks", "required", index], entry));
}

function describeCheckEntry(path: PropertyKey[], entry: unknown): PolicyProblem[] {
  const read = readCheckEntry(entry);
  if (read.ok) return [];
  const hint = "Write a command line such as pytest -q, or a check such as { type: file_exists, path: README.md }.";
  return [{ path: [...path, ...read.path], atKey: false, message: read.problem, hint }];
}

/** Every required check becomes text, so that the list compares like the other lists of a policy. */
function writeRequired(document: PolicyDocument): PolicyDocument {
  if (!document.checks?.required) return document;
  const required = document.checks.required.map((entry) => {
    const read = readCheckEntry(entry);
    return read.ok ? writeCheckEntry(read.check) : String(entry);
  });
  return { ...document, checks: { required } };
}

function findEntryProblems(
  document: PolicyDocument,
  path: string,
  describeProblem: ((entry: string) => string | null) | undefined,
): PolicyProblem[] {
  if (!describeProblem) return [];
  return ["", ".default", ".max"].flatMap((suffix) => {
    const list = readPolicyPath(document, path + suffix);
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry: string, index) => {
      const problem = describeProblem(entry);
      if (problem === null) return [];
      const hint = `Correct or remove ${JSON.stringify(entry)}.`;
      const message = `${JSON.stringify(entry)} ${problem}`;
      return [{ path: [...(path + suffix).split("."), index], atKey: false, message, hint }];
    });
  });
}

function findContradictions(document: PolicyDocument, path: string): PolicyProblem[] {
  const range = readPolicyRange(document, path);
  const scale = POLICY_KEYS.find((key) => key.path === path)?.scale;
  if (range?.default === undefined || range.max === undefined || range.default === range.max) return [];
  if (scale?.within(range.default, range.max)) return [];
  const message = "the default permits more than the max";
  return [
    { path: [...path.split("."), "default"], atKey: false, message, hint: "Lower the default or raise the max." },
  ];
}

function describeIssue(issue: z.core.$ZodIssue, root: unknown, prefix: PropertyKey[]): PolicyProblem[] {
  const path = [...prefix, ...issue.path];
  if (path[0] === "checks" && path[1] === "required" && path.length > 2) {
    const place = path.slice(0, 3);
    return describeCheckEntry(place, readValue(root, place));
  }
  if (issue.code === "unrecognized_keys") {
    const known = listKnownKeys(path);
    return issue.keys.map((name) => {
      const near = findNearestWord(name, known);
      const meant = near === undefined ? findNearestKey(name) : [...path, near].map(String).join(".");
      const list = `The keys here are ${known.join(", ")}.`;
      const hint = meant ? `Did you mean ${meant}? ${list}` : list;
      return { path: [...path, name], atKey: true, message: "unknown key", hint };
    });
  }
  if (issue.code === "invalid_union") {
    // A ranged value is either the value itself or { default, max }; what was written tells which one was meant.
    const written = readValue(root, path);
    const isRange = typeof written === "object" && written !== null && !Array.isArray(written);
    const branch = issue.errors[isRange ? 1 : 0] ?? [];
    return branch.flatMap((inner) => describeIssue(inner, root, path));
  }
  return [{ path, atKey: false, message: explainIssue(issue), hint: describeWanted(path) }];
}

const EXAMPLE = "For example: limits: { wallSeconds: 60 }";
const ENTRIES: Readonly<Record<string, string>> = {
  "network.allow": "[api.example.com:443]",
  "commands.allow": "[git status, pytest]",
  "files.hide": "['*.key']",
};

/** What the system policy has under the key; for lists that are empty there, an entry as an owner would write it. */
function describeExample(key: string): string | null {
  const value = ENTRIES[key] ?? readPolicyRange(SYSTEM_POLICY, key)?.default;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  const shown = Array.isArray(value) ? `[${value.slice(0, 2).join(", ")}]` : String(value);
  return `${key.split(".").join(": { ")}: ${shown}${" }".repeat(key.split(".").length - 1)}`;
}

function readValue(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function describeWanted(path: readonly PropertyKey[]): string {
  const known = listKnownKeys(path);
  if (path.length === 0) return `A policy is a map. Its keys are ${known.join(", ")}. ${EXAMPLE}`;
  const name = path.map(String).join(".");
  const isSection = known.length > 0 && known[0] !== "default";
  if (isSection) return `${name} is a map. Its keys are ${known.join(", ")}. Remove ${name} to use the defaults.`;
  const key = name.replace(/\.(default|max|\d+)$/, "");
  const example = describeExample(key);
  return `${example ? `For example: ${example}. ` : ""}Remove ${key} to use the default.`;
}
