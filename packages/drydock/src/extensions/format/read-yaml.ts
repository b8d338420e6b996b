import { type ExtensionProblem, explainYamlError } from "@drydock/protocol";
import type { Document } from "yaml";
import type * as z from "zod";
import { describeIssue } from "./describe-issue.ts";

export type Path = readonly PropertyKey[];

/** One YAML file of an extension: its value where it has the right shape, and where each field stands. */
export interface YamlFile<T> {
  value: T | null;
  problems: ExtensionProblem[];
  /** A problem of the field at this path. */
  complain(path: Path, message: string, severity?: ExtensionProblem["severity"]): ExtensionProblem;
}

/** Enough for hundreds of commands; the parser takes time and memory for whatever it is given. */
export const MAX_YAML_BYTES = 256 * 1024;

/** Reads text as if it stood in the file. It never throws for what the text holds. */
export async function readYaml<T extends z.ZodType>(
  file: string,
  text: string,
  schema: T,
): Promise<YamlFile<z.output<T>>> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const complainAt = (offset: number | null, field: string, message: string): ExtensionProblem => {
    const place = offset === null ? null : lines.linePos(offset);
    return { file, line: place?.line || null, column: place?.col || null, field, message, severity: "error" };
  };
  const broken = (problems: ExtensionProblem[]): YamlFile<never> => ({
    value: null,
    problems,
    complain: (_path, message) => complainAt(null, "", message),
  });
  let document: Document.Parsed | undefined;
  try {
    const all = yaml.parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
    const documents = "empty" in all ? [] : all;
    const found = documents.flatMap((each) => [...each.errors, ...each.warnings]);
    if (found.length > 0) return broken(found.slice(0, 5).map((e) => complainAt(e.pos[0], "", writeExplanation(e))));
    if (documents.length > 1) {
      return broken([complainAt(documents[1]?.range?.[0] ?? 0, "", "a second YAML document; keep one in the file")]);
    }
    document = documents[0];
    const alias = findAlias(yaml, document);
    // An alias can unfold into more than any machine holds, and a reader has to look elsewhere for what is meant.
    if (alias !== null)
      return broken([complainAt(alias, "", "YAML aliases are not allowed here; write the value out")]);
    const parsed = schema.safeParse(document?.toJS() ?? {});
    const complain: YamlFile<z.output<T>>["complain"] = (path, message, severity = "error") => ({
      ...complainAt(findOffset(document, path), formatPath(path), message),
      severity,
    });
    if (parsed.success) return { value: parsed.data, problems: [], complain };
    const issues = parsed.error.issues.flatMap((issue) => describeIssue(issue, schema));
    return { value: null, problems: issues.map(({ path, message }) => complain(path, message)), complain };
  } catch {
    // Nesting thousands of levels deep exhausts the parser's stack.
    return broken([complainAt(null, "", writeExplanation({ code: "RESOURCE_EXHAUSTION", message: "" }))]);
  }
}

function writeExplanation(error: { code?: string; message: string }): string {
  const { message, hint } = explainYamlError(error);
  return `${message}. ${hint}`;
}

function findAlias(yaml: typeof import("yaml"), document: Document.Parsed | undefined): number | null {
  let found: number | null = null;
  if (document)
    yaml.visit(document, {
      Alias(_key, node) {
        found = node.range?.[0] ?? 0;
        return yaml.visit.BREAK;
      },
    });
  return found;
}

/** `commands[0].actions[1].name` */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");
}

/** Where a path stands in the text: its key, or its entry in a list; else what is nearest above it. */
function findOffset(document: Document.Parsed | undefined, path: Path): number | null {
  let node: unknown = document?.contents;
  let offset = rangeOf(node)?.[0] ?? null;
  for (const step of path) {
    const items: unknown = Object(node).items;
    if (!Array.isArray(items)) break;
    const pair: unknown = typeof step === "number" ? items[step] : items.find((item) => keyOf(item) === step);
    if (pair === undefined) break;
    const key = typeof step === "number" ? pair : Object(pair).key;
    node = typeof step === "number" ? pair : Object(pair).value;
    offset = rangeOf(key)?.[0] ?? offset;
  }
  return offset;
}

function keyOf(pair: unknown): unknown {
  return Object(Object(pair).key).value;
}

function rangeOf(node: unknown): [number] | undefined {
  const range: unknown = Object(node).range;
  return Array.isArray(range) ? [Number(range[0])] : undefined;
}
