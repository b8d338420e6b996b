import { readFile, stat } from "node:fs/promises";
import { DrydockError, explainIssue } from "@drydock/protocol";
import type { Document } from "yaml";
import * as z from "zod";
import { fileProblemError, findNearestWord, invalidFileError } from "../text/index.ts";

export interface YamlKind {
  /** What the file is, for messages: `script`, `configuration`. */
  what: string;
  maxBytes: number;
}

/** What a key may look like, for hints, by its path; `*` is any entry of a list, the empty path is the whole file. */
export type Examples = Readonly<Record<string, string>>;

/** Null where there is no such file. */
export async function readYamlText(file: string, { what, maxBytes }: YamlKind): Promise<string | null> {
  const fail = (reason: string) =>
    new DrydockError("input.invalid", `${file}: the ${what} can't be read: ${reason}`, "Make it a readable file.", {
      file,
    });
  try {
    const found = await stat(file);
    if (!found.isFile()) throw fail("it is not a regular file");
    if (found.size > maxBytes) throw fail(`it is larger than ${maxBytes} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw fail(error instanceof Error ? error.message : String(error));
  }
}

/** The value of YAML (or JSON, which is YAML) of a given shape. Every complaint names file, line, column and key. */
export async function parseYaml<T extends z.ZodType>(
  file: string,
  text: string,
  schema: T,
  examples: Examples = {},
): Promise<z.output<T>> {
  const { findOffset, openYaml } = await import("../yaml/index.ts");
  const opened = openYaml(text);
  if (!opened.ok) throw invalidFileError("input.invalid", file, opened.problems.slice(0, 1));
  const { document, positionAt } = opened;
  const parsed = schema.safeParse(toValue(file, document));
  if (parsed.success) return parsed.data;
  // A key that is misspelt is also missing: what it should have been is the more useful of the two.
  const isUnknown = (issue: z.core.$ZodIssue) => (issue.code === "unrecognized_keys" ? 0 : 1);
  const issues = [...parsed.error.issues].sort((one, other) => isUnknown(one) - isUnknown(other));
  const problems = issues.flatMap((issue) => describeIssue(issue, schema, examples));
  throw invalidFileError(
    "input.invalid",
    file,
    problems.map(({ path, message, hint }) => {
      const position = positionAt(findOffset(document, path) ?? 0);
      return { position, key: path.map(String).join("."), message, hint };
    }),
  );
}

function toValue(file: string, document: Document.Parsed | undefined): unknown {
  try {
    return document?.toJS() ?? {};
  } catch {
    const message = "not valid YAML: an alias (*name) refers to nothing, or unfolds into too much";
    const problem = { position: undefined, key: "", message, hint: "Write the values out." };
    throw fileProblemError("input.invalid", file, problem);
  }
}

interface Problem {
  path: PropertyKey[];
  message: string;
  hint: string;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, examples: Examples): Problem[] {
  const known = listKeys(schema, issue.path);
  if (issue.code === "unrecognized_keys") {
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
  return [{ path: issue.path, message: explainIssue(issue), hint: describeExample(issue.path, examples, known) }];
}

/** An example of the nearest key above that has one. */
function describeExample(path: readonly PropertyKey[], examples: Examples, known: readonly string[]): string {
  const names = path.map((name) => (typeof name === "number" ? "*" : String(name)));
  for (let length = names.length; length >= 0; length--) {
    const example = examples[names.slice(0, length).join(".")];
    if (example !== undefined) return `For example: ${example}`;
  }
  const name = path.map(String).join(".");
  if (known.length > 0) return `${name || "The file"} is a map. Its keys are ${known.join(", ")}.`;
  return name === "" ? "Correct the file." : `Correct the value of ${name}.`;
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
