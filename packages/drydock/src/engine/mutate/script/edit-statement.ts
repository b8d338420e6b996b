import { isNode, type SyntaxNode } from "../../source/parse-script.ts";
import type { EditRequest } from "./list-script-edits.ts";

const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);
const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);

const EDITORS: Readonly<Record<string, (request: EditRequest) => void>> = {
  IfStatement: (request) => force(request, ["true", "false"]),
  WhileStatement: (request) => force(request, ["false"]),
  DoWhileStatement: (request) => force(request, ["false"]),
  ForStatement: (request) => force(request, ["false"]),
  BlockStatement: editBlock,
  SwitchCase: editCase,
  ArrowFunctionExpression: editArrow,
  ReturnStatement: editReturn,
  ThrowStatement: editThrow,
  ExpressionStatement: editExpressionStatement,
  BreakStatement: (request) => swapJump(request, "break", "continue"),
  ContinueStatement: (request) => swapJump(request, "continue", "break"),
};

/** The edits at one statement. */
export function editStatement(request: EditRequest): void {
  EDITORS[request.node.type]?.(request);
}

function force({ node, add }: EditRequest, values: readonly string[]): void {
  const { test } = node;
  if (!isNode(test) || test.type === "BooleanLiteral") return;
  for (const value of values) add(test.start, test.end, value, "condition");
}

/** An `if` without `else` whose block is empty is one that never holds; a `while` without a body never ends. */
function editBlock({ node, above, text, add }: EditRequest): void {
  const parent = above?.node;
  if (!parent || !Array.isArray(node.body) || node.body.length === 0) return;
  if (parent.type === "IfStatement" && !parent.alternate) return;
  if (parent.type === "WhileStatement" || parent.type === "DoWhileStatement") return;
  const isConstructor = parent.type === "ClassMethod" && parent.kind === "constructor";
  if (isConstructor && /\bsuper\s*\(/.test(text.slice(node.start, node.end))) return;
  add(node.start, node.end, "{}", "block");
}

function editCase({ node, add }: EditRequest): void {
  const body = Array.isArray(node.consequent) ? node.consequent.filter(isNode) : [];
  const [first, last] = [body[0], body.at(-1)];
  if (first && last) add(first.start, last.end, "", "block");
}

function editArrow(request: EditRequest): void {
  const { body } = request.node;
  if (isNode(body) && body.type !== "BlockStatement") returnNothing(request, body);
}

function editReturn(request: EditRequest): void {
  const { argument } = request.node;
  if (isNode(argument) && !isOnlyStatement(request)) returnNothing(request, argument);
}

function returnNothing({ text, add }: EditRequest, value: SyntaxNode): void {
  if (value.name !== "undefined") add(...aroundBrackets(text, value), "undefined", "return");
}

function editThrow(request: EditRequest): void {
  const { node, add } = request;
  if (!isOnlyStatement(request)) add(node.start, node.end, ";", "exception");
}

/** In a switch, the two words leave different things. */
function swapJump(request: EditRequest, word: string, other: string): void {
  const { node, add } = request;
  if (node.label || nearestTarget(request)?.type === "SwitchStatement") return;
  add(node.start, node.start + word.length, other, "loop");
}

function editExpressionStatement(request: EditRequest): void {
  const { node, add } = request;
  const outer = isNode(node.expression) ? node.expression : null;
  const inner = outer?.type === "AwaitExpression" && isNode(outer.argument) ? outer.argument : outer;
  if (!inner || isOnlyStatement(request)) return;
  const isCall = inner.type === "CallExpression" || inner.type === "OptionalCallExpression";
  const isSuper = isNode(inner.callee) && inner.callee.type === "Super";
  if ((isCall && !isSuper) || inner.type === "AssignmentExpression") add(node.start, node.end, ";", "statement");
}

/** Emptying the block around it does the same. */
function isOnlyStatement({ node, above }: EditRequest): boolean {
  const parent = above?.node;
  if (parent?.type === "IfStatement") return parent.consequent === node && !parent.alternate;
  return parent?.type === "BlockStatement" && Array.isArray(parent.body) && parent.body.length === 1;
}

/** The loop or switch that a `break` leaves. */
function nearestTarget({ above }: EditRequest): SyntaxNode | null {
  for (let visit = above; visit && !FUNCTIONS.has(visit.node.type); visit = visit.above) {
    if (LOOPS.has(visit.node.type) || visit.node.type === "SwitchStatement") return visit.node;
  }
  return null;
}

/** An object literal as the body of an arrow function stands in brackets, which go with it. */
function aroundBrackets(text: string, node: SyntaxNode): [start: number, end: number] {
  let [start, end] = [node.start, node.end];
  for (;;) {
    const before = text.slice(0, start).trimEnd();
    const after = text.length - text.slice(end).trimStart().length;
    if (!before.endsWith("(") || text[after] !== ")") return [start, end];
    [start, end] = [before.length - 1, after + 1];
  }
}
