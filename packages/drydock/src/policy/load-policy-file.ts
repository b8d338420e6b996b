import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import type { Document, LineCounter, ParsedNode } from "yaml";
import { checkPolicy, type PolicyProblem } from "./find-problems.ts";

export interface Position {
  line: number;
  column: number;
}

/** A policy file that was read and found valid. */
export interface PolicySource {
  file: string;
  document: PolicyDocument;
  /** Where each key and list entry stands, by its dotted path (`network.allow.0`). */
  positions: Readonly<Record<string, Position>>;
}

const MAX_FILE_BYTES = 256 * 1024;

/** Null only where there is no file. Whatever can't be read and understood in full is an error, and nothing runs. */
export async function loadPolicyFile(path: string): Promise<PolicySource | null> {
  const text = await readPolicyText(path);
  return text === null ? null : parsePolicyText(path, text);
}

export async function readPolicyText(path: string): Promise<string | null> {
  const fail = (reason: string, cause?: unknown) =>
    new DrydockError(
      "policy.invalid",
      `${path}: the policy file can't be read: ${reason}`,
      "Make it a readable file, or remove it.",
      { file: path },
      cause,
    );
  try {
    // Without O_NONBLOCK, a named pipe in the file's place would hold up whoever starts a run.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw fail("it is no regular file");
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
      ({ bytesRead } = await file.read(buffer, length, buffer.length - length, length));
    }
    if (length > MAX_FILE_BYTES) throw fail(`it is larger than ${MAX_FILE_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length));
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT" && !(await existsAsLink(path)))
      return null;
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}

/** A link to nowhere is not the absence of a policy. */
async function existsAsLink(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Reads policy text as if it stood in the file. The YAML library is loaded only where there is something to read. */
export async function parsePolicyText(file: string, text: string): Promise<PolicySource> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const document = parseOneDocument(yaml, file, text, lines);
  const keys: Record<string, Position> = Object.create(null);
  const values: Record<string, Position> = Object.create(null);
  const place = (node: unknown): Position | undefined => {
    const offset = yaml.isNode(node) ? node.range?.[0] : undefined;
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const walk = (node: unknown, path: string[]) => {
    const name = path.join(".");
    const position = place(node);
    if (position) values[name] ??= position;
    if (yaml.isAlias(node)) {
      throw invalidAt(file, position, name, "aliases are not allowed in a policy", "Write the value out.");
    }
    if (yaml.isMap(node)) {
      for (const pair of node.items) {
        const keyPosition = place(pair.key) ?? position;
        if (!yaml.isScalar(pair.key) || typeof pair.key.value !== "string") {
          throw invalidAt(file, keyPosition, name, "a key must be plain text", "Write keys as plain words.");
        }
        const child = [...path, pair.key.value];
        if (keyPosition) keys[child.join(".")] ??= keyPosition;
        walk(pair.value, child);
      }
    } else if (yaml.isSeq(node)) {
      node.items.forEach((item, index) => {
        const child = [...path, String(index)];
        const itemPosition = place(item);
        if (itemPosition) keys[child.join(".")] ??= itemPosition;
        walk(item, child);
      });
    }
  };
  walk(document?.contents, []);
  const checked = checkPolicy(document?.toJS() ?? {});
  if (checked.ok) return { file, document: checked.document, positions: { ...keys } };
  throw invalidProblems(file, checked.problems, (problem) => {
    const name = problem.path.map(String).join(".");
    return problem.atKey ? (keys[name] ?? values[name]) : (values[name] ?? keys[name]);
  });
}

type ParsedDocument = Document.Parsed<ParsedNode>;

/** The one document of the text; undefined where the text holds none. */
function parseOneDocument(
  yaml: typeof import("yaml"),
  file: string,
  text: string,
  lineCounter: LineCounter,
): ParsedDocument | undefined {
  try {
    const all = yaml.parseAllDocuments(text, { lineCounter, prettyErrors: false, version: "1.2" });
    const documents = "empty" in all ? [] : all;
    const problem = documents.flatMap((document) => [...document.errors, ...document.warnings])[0];
    if (problem) {
      const { line, col } = lineCounter.linePos(problem.pos[0]);
      throw invalidAt(file, { line, column: col }, "", `bad YAML: ${problem.message}`, "Correct the YAML.");
    }
    const second = documents[1];
    if (second) {
      const { line, col } = lineCounter.linePos(second.range?.[0] ?? 0);
      throw invalidAt(file, { line, column: col }, "", "a second YAML document", "Keep one document in the file.");
    }
    return documents[0];
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    // Nesting thousands of levels deep exhausts the parser's stack.
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidAt(file, { line: 1, column: 1 }, "", `bad YAML: ${reason}`, "Correct the YAML.");
  }
}

function invalidProblems(
  file: string,
  problems: readonly PolicyProblem[],
  place: (problem: PolicyProblem) => Position | undefined,
): DrydockError {
  const errors = problems.map((problem) =>
    invalidAt(file, place(problem), problem.path.map(String).join("."), problem.message, problem.hint),
  );
  const [first, ...others] = errors;
  if (!first) throw new TypeError("A policy without problems is not invalid.");
  if (others.length === 0) return first;
  const more = ` (and ${others.length} more)`;
  const all = errors.map((error) => error.message);
  return new DrydockError(first.code, first.message + more, first.hint, { ...first.data, problems: all });
}

/** What every complaint about a policy file looks like: file, line, column, key, what is wrong. */
export function invalidAt(
  file: string,
  position: Position | undefined,
  key: string,
  message: string,
  hint: string,
): DrydockError {
  const where = position ? `${file}:${position.line}:${position.column}` : file;
  const text = key === "" ? `${where}: ${message}` : `${where}: ${key}: ${message}`;
  return new DrydockError("policy.invalid", text, hint, { file, ...position, key });
}
