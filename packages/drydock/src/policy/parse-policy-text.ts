import { DrydockError, explainYamlError } from "@drydock/protocol";
import * as yaml from "yaml";
import { checkPolicy, type PolicyProblem } from "./find-problems.ts";
import { invalidAt, type PolicySource, type Position } from "./load-policy-file.ts";

/** Reads policy text as if it stood in the file. */
export function parsePolicyText(file: string, text: string): PolicySource {
  const lines = new yaml.LineCounter();
  const document = parseOneDocument(file, text, lines);
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

type ParsedDocument = yaml.Document.Parsed<yaml.ParsedNode>;

/** The one document of the text; undefined where the text holds none. */
function parseOneDocument(file: string, text: string, lineCounter: yaml.LineCounter): ParsedDocument | undefined {
  try {
    const all = yaml.parseAllDocuments(text, { lineCounter, prettyErrors: false, version: "1.2" });
    const documents = "empty" in all ? [] : all;
    const problem = documents.flatMap((document) => [...document.errors, ...document.warnings])[0];
    if (problem) {
      const { line, col } = lineCounter.linePos(problem.pos[0]);
      const { message, hint } = explainYamlError(problem);
      throw invalidAt(file, { line, column: col }, "", message, hint);
    }
    const second = documents[1];
    if (second) {
      const { line, col } = lineCounter.linePos(second.range?.[0] ?? 0);
      const { message, hint } = explainYamlError({ code: "MULTIPLE_DOCS", message: "" });
      throw invalidAt(file, { line, column: col }, "", message, hint);
    }
    return documents[0];
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    // Nesting thousands of levels deep exhausts the parser's stack.
    const { message, hint } = explainYamlError({ code: "RESOURCE_EXHAUSTION", message: "" });
    throw invalidAt(file, { line: 1, column: 1 }, "", message, hint);
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
