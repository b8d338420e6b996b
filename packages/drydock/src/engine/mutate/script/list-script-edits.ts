import { childrenOf, isNode, parseScript, type SyntaxNode, type Visit } from "../../source/parse-script.ts";
import type { Edit, EditedFile, Operator } from "../edit.ts";
import { editExpression } from "./edit-expression.ts";
import { editStatement } from "./edit-statement.ts";

/** Adds an edit of the text between two offsets. */
export type AddEdit = (start: number, end: number, replacement: string, operator: Operator) => void;

export interface EditRequest {
  text: string;
  node: SyntaxNode;
  /** The way up to the root: parents and theirs. */
  above: Visit | null;
  add: AddEdit;
}

/** Expressions that only carry a type. */
const TYPED = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion"]);
const SKIPPED = new Set([
  "ImportDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "Decorator",
  "TypeAnnotation",
  "TypeAlias",
  "InterfaceDeclaration",
  "OpaqueType",
  "DeclareFunction",
  "DeclareVariable",
]);

/** The possible edits of one JavaScript or TypeScript file, in the order of their positions; null where it does not parse. */
export function listScriptEdits({ path, text, lines }: EditedFile): Edit[] | null {
  const root = parseScript(path, text);
  if (!root) return null;
  const starts = findLineStarts(text);
  const edits = new Map<string, Edit>();
  const add: AddEdit = (start, end, replacement, operator) => {
    const line = lineAt(starts, start);
    if (lines && !lines.some(([from, to]) => from <= line && line <= to)) return;
    const key = `${start} ${end} ${replacement}`;
    if (text.slice(start, end) === replacement || edits.has(key)) return;
    edits.set(key, { start, end, replacement, line, operator });
  };
  const stack: Visit[] = [{ node: root, above: null }];
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    const { node, above } = visit;
    if (isSkipped(node, text)) continue;
    const request = { text, node, above, add };
    editExpression(request);
    editStatement(request);
    for (const child of mutableChildren(node)) stack.push({ node: child, above: visit });
  }
  return [...edits.values()].sort(
    (a, b) => a.start - b.start || a.end - b.end || (a.replacement < b.replacement ? -1 : 1),
  );
}

/** Types, imports, what is printed for people, and what runs only as a program: tests are not expected to notice. */
function isSkipped(node: SyntaxNode, text: string): boolean {
  const { type } = node;
  if (type.startsWith("TS") && !TYPED.has(type) && type !== "TSParameterProperty") return true;
  if (SKIPPED.has(type)) return true;
  if (type === "ExpressionStatement") return /^\s*(await\s+)?console\.\w+\(/.test(text.slice(node.start, node.end));
  if (type !== "IfStatement" || !isNode(node.test)) return false;
  return /require\.main|import\.meta\.main|process\.argv\[1\]/.test(text.slice(node.test.start, node.test.end));
}

function mutableChildren(node: SyntaxNode): SyntaxNode[] {
  if (TYPED.has(node.type)) return isNode(node.expression) ? [node.expression] : [];
  // A name is no value, unless it is computed.
  const isNamed = "key" in node && node.computed !== true;
  return childrenOf(node).filter((child) => !(isNamed && child === node.key) && child !== node.source);
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + end.length);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
