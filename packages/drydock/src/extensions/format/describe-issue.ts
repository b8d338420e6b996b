import { explainIssue } from "@drydock/protocol";
import * as z from "zod";
import { findNearestWord } from "../../base/text/index.ts";

export interface DescribedIssue {
  path: PropertyKey[];
  message: string;
}

/** What a schema has to say about a value, in words; each key that it does not know with the one that was probably meant. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  prefix: PropertyKey[] = [],
): DescribedIssue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const known = listKeys(schema, path);
    return issue.keys.map((name) => {
      const meant = findNearestWord(name, known);
      const list = known.length > 0 ? ` Known here: ${known.join(", ")}.` : "";
      const guess = meant ? ` Did you mean ${meant}?` : "";
      return { path: [...path, name], message: `unknown key.${guess}${list}` };
    });
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The branch that was meant is the one that the fewest and deepest complaints come from.
    const branches = issue.errors.map((errors) => errors.flatMap((inner) => describeIssue(inner, schema, path)));
    const depth = (all: DescribedIssue[]) => Math.max(0, ...all.map((each) => each.path.length));
    const [meant] = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
    if (meant && depth(meant) > path.length) return meant;
    return [{ path, message: branches.map((all) => all[0]?.message ?? "").join("; or ") }];
  }
  const message = explainIssue(issue);
  // YAML takes 1.0 for a number, and no for a truth value.
  const isUnquoted = issue.code === "invalid_type" && /^must be text, not (a number|true or false)$/.test(message);
  return [{ path, message: isUnquoted ? `${message}; put it in quotes` : message }];
}

/** The keys that a schema knows at a path. Only looked for once something is wrong. */
function listKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const root: unknown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
  let nodes: unknown[] = [root];
  for (const step of path) {
    nodes = nodes.flatMap(unfold).flatMap((node) => {
      const inner = typeof step === "number" ? [read(node, "items")] : [read(read(node, "properties"), step)];
      return inner[0] === undefined ? [read(node, "additionalProperties")] : inner;
    });
  }
  return [...new Set(nodes.flatMap(unfold).flatMap((node) => Object.keys(Object(read(node, "properties")))))];
}

function unfold(node: unknown): unknown[] {
  const branches = [read(node, "anyOf"), read(node, "oneOf"), read(node, "allOf")].filter(Array.isArray).flat();
  return branches.length > 0 ? branches.flatMap(unfold) : [node];
}

function read(node: unknown, name: PropertyKey): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined;
}
