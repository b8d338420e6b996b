import { readFile, stat } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";
import type { Document, LineCounter } from "yaml";
import * as z from "zod";
import { findNearestWord } from "../policy/index.ts";

export interface YamlKind {
  /** What the file is, for messages: `script`, `configuration`. */
  what: string;
  maxBytes: number;
}

/** Null where there is no such file. */
export async function readYamlText(file: string, { what, maxBytes }: YamlKind): Promise<string | null> {
  const fail = (reason: string) =>
    new DrydockError("input.invalid", `${file}: the ${what} can't be read: ${reason}`, "Make it a readable file.", {
      file,
    });
  try {
    const found = await stat(file);
    if (!found.isFile()) throw fail("it is no regular file");
    if (found.size > maxBytes) throw fail(`it is larger than ${maxBytes} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw fail(error instanceof Error ? error.message : String(error));
  }
}

/** The value of YAML (or JSON, which is YAML) of a given shape. Every complaint names file, line, column and key. */
export async function parseYaml<T extends z.ZodType>(file: string, text: string, schema: T): Promise<z.output<T>> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
  const broken = [...document.errors, ...document.warnings][0];
  if (broken)
    throw invalidAt(file, locate(lines, broken.pos[0]), "", `bad YAML: ${broken.message}`, "Correct the YAML.");
  const parsed = schema.safeParse(toValue(file, document));
  if (parsed.success) return parsed.data;
  // A key that is misspelt is also missing: what it should have been is the more useful of the two.
  const isUnknown = (issue: z.core.$ZodIssue) => (issue.code === "unrecognized_keys" ? 0 : 1);
  const issues = [...parsed.error.issues].sort((one, other) => isUnknown(one) - isUnknown(other));
  const problems = issues.flatMap((issue) => describeIssue(issue, schema));
  const errors = problems.map(({ path, message, hint }) => {
    return invalidAt(file, locate(lines, findOffset(document, path)), path.map(String).join("."), message, hint);
  });
  const [first, ...others] = errors;
  if (!first) throw new TypeError("A file without problems is not invalid.");
  if (others.length === 0) throw first;
  const data = { ...first.data, problems: errors.map((error) => error.message) };
  throw new DrydockError(first.code, `${first.message} (and ${others.length} more)`, first.hint, data);
}

function toValue(file: string, document: Document.Parsed): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    // Aliases that would unfold into too much.
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidAt(file, undefined, "", `bad YAML: ${reason}`, "Correct the YAML.");
  }
}

interface Problem {
  path: PropertyKey[];
  message: string;
  hint: string;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): Problem[] {
  if (issue.code === "unrecognized_keys") {
    const known = listKeys(schema, issue.path);
    return issue.keys.map((name) => {
      const meant = findNearestWord(name, known);
      const list = known.length > 0 ? `Known here: ${known.join(", ")}.` : "Remove it.";
      return {
        path: [...issue.path, name],
        message: "unknown key",
        hint: meant ? `Did you mean ${meant}? ${list}` : list,
      };
    });
  }
  const message = issue.message
    .replace(/^Invalid (input|option): /, "")
    .replace(/^expected (\w+), received undefined$/, "is missing (expected: $1)");
  const name = issue.path.map(String).join(".");
  return [{ path: issue.path, message, hint: name === "" ? "Correct the file." : `Correct the value of ${name}.` }];
}

/** The keys that a schema knows at a path. Only looked for once something is wrong. */
function listKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let node: unknown = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
  for (const step of path) {
    const properties = read(node, "properties");
    node =
      read(properties, step) ?? (typeof step === "number" ? read(node, "items") : read(node, "additionalProperties"));
  }
  return Object.keys(Object(read(node, "properties")));
}

function read(node: unknown, name: PropertyKey): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined;
}

/** Where a path stands in the text: its key if it has one, else its value, else what is nearest above it. */
function findOffset(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const items = Object(parent).items;
    const name = path[length - 1];
    if (!Array.isArray(items)) continue;
    const item: unknown =
      typeof name === "number" ? items[name] : items.find((pair) => read(pair.key, "value") === name)?.key;
    const range = Object(item).range;
    if (Array.isArray(range)) return range[0];
  }
  return 0;
}

function locate(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function invalidAt(
  file: string,
  position: { line: number; column: number } | undefined,
  key: string,
  message: string,
  hint: string,
): DrydockError {
  const where = position ? `${file}:${position.line}:${position.column}` : file;
  const text = key === "" ? `${where}: ${message}` : `${where}: ${key}: ${message}`;
  return new DrydockError("input.invalid", text, hint, { file, ...position, key });
}
