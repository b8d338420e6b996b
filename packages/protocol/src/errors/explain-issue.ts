import type * as z from "zod";
import { countWord } from "../count-word.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a map of keys and values",
  record: "a map of keys and values",
  null: "empty",
  undefined: "missing",
};
/** What zod says where a schema has no message of its own. */
const ZODS_OWN = /^(Invalid |Too (small|big)\b|Unrecognized key|Invalid$)/;

/**
 * What is wrong with a value, as the end of a sentence whose subject is the value: `must be a number, not text`. Messages
 * that a schema brings itself stay as they are. No value is repeated: it may be a secret.
 */
export function explainIssue(issue: z.core.$ZodIssue): string {
  if (!ZODS_OWN.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue.expected, /received (\w+)$/.exec(issue.message)?.[1]);
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return explainBound(issue.origin, Number(issue.minimum), issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return explainBound(issue.origin, Number(issue.maximum), issue.inclusive === false ? "less than" : "at most");
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has ${issue.keys.length === 1 ? "an unknown key" : "unknown keys"}: ${issue.keys.join(", ")}`;
    case "invalid_format":
      return issue.format === "regex" || issue.format === "url"
        ? "does not have the right form"
        : `must be a valid ${issue.format}`;
    case "invalid_union":
      return explainUnion(issue);
    case "invalid_key":
      return "has a key that is not allowed";
    default:
      return "can't be used here";
  }
}

/** A list of problems, each with the key it belongs to. `where` names the whole where a problem has no key. */
export function explainIssues(issues: readonly z.core.$ZodIssue[], where: string): string[] {
  const placed = issues.map((issue) => ({ issue, place: issue.path.map(String).join(".") || where }));
  // Bounds of a value that is of another type say nothing: an empty list in the place of a text is not an empty text.
  const mistyped = new Set(placed.filter(({ issue }) => issue.code === "invalid_type").map(({ place }) => place));
  return placed
    .filter(({ issue, place }) => issue.code === "invalid_type" || !mistyped.has(place))
    .map(({ issue, place }) => `${place}: ${explainIssue(issue)}`);
}

function explainType(expected: string, received: string | undefined): string {
  const wanted = TYPES[expected] ?? `a value of the type ${expected}`;
  if (received === "undefined") return `is missing; it must be ${wanted}`;
  if (received === "null") return `is empty; it must be ${wanted}`;
  const found = received === undefined ? undefined : TYPES[received === "NaN" ? "string" : received];
  const isOfKind = found === undefined || found === wanted || (expected === "int" && received === "number");
  return isOfKind ? `must be ${wanted}` : `must be ${wanted}, not ${found}`;
}

function explainBound(origin: string, bound: number, relation: string): string {
  if (origin !== "string" && origin !== "array" && origin !== "set") return `must be ${relation} ${bound}`;
  const isEmpty = bound === 1 && relation === "at least";
  if (isEmpty) return "must not be empty";
  const word = origin === "string" ? countWord(bound, "character") : countWord(bound, "entry", "entries");
  return `must have ${relation} ${word}`;
}

/** The branch that was meant is the one whose complaint lies deepest. */
function explainUnion({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const branches = errors.filter((each) => each.length > 0);
  const depth = (each: readonly z.core.$ZodIssue[]) => Math.max(0, ...each.map(({ path }) => path.length));
  const [deepest] = branches.toSorted((one, other) => depth(other) - depth(one));
  const [first] = deepest ?? [];
  if (deepest && first && depth(deepest) > 0) return `${first.path.map(String).join(".")}: ${explainIssue(first)}`;
  const explanations = new Set(branches.flatMap(([issue]) => (issue ? [explainIssue(issue)] : [])));
  return explanations.size > 0 ? [...explanations].join(", or ") : "can't be used here";
}
