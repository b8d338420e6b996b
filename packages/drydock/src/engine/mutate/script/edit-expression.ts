import { isNode, type SyntaxNode } from "../../source/parse-script.ts";
import type { Operator } from "../edit.ts";
import { editCall, editChain } from "./edit-call.ts";
import { editRegex } from "./edit-regex.ts";
import type { EditRequest } from "./list-script-edits.ts";
import { ARITHMETIC, ASSIGNMENT, COMPARISON, LOGICAL } from "./script-words.ts";

const TEXTS = new Set(["StringLiteral", "TemplateLiteral"]);
const LOOPS = new Set(["ForStatement", "WhileStatement", "DoWhileStatement"]);

const EDITORS: Readonly<Record<string, (request: EditRequest) => void>> = {
  BinaryExpression: editBinary,
  LogicalExpression: editLogical,
  AssignmentExpression: editAssignment,
  UnaryExpression: editUnary,
  UpdateExpression: editUpdate,
  BooleanLiteral: (request) => replace(request, request.node.value === true ? "false" : "true", "literal"),
  NumericLiteral: (request) => replace(request, String(Number(request.node.value) + 1), "literal"),
  StringLiteral: editString,
  TemplateLiteral: editTemplate,
  RegExpLiteral: editRegex,
  ArrayExpression: (request) => replace(request, isEmpty(request.node.elements) ? '["changed"]' : "[]", "collection"),
  ObjectExpression: editObject,
  ConditionalExpression: editTernary,
  CallExpression: editCall,
  NewExpression: editCall,
  OptionalCallExpression: editOptionalCall,
  OptionalMemberExpression: editChain,
};

/** The edits at one expression. */
export function editExpression(request: EditRequest): void {
  EDITORS[request.node.type]?.(request);
}

function replace({ node, above, add }: EditRequest, replacement: string, name: Operator): void {
  const isDefault = above?.node.type === "AssignmentPattern" && above.node.right === node;
  add(node.start, node.end, replacement, isDefault ? "default" : name);
}

function editUpdate({ node, add }: EditRequest): void {
  const at = node.prefix === true ? node.start : node.end - 2;
  add(at, at + 2, node.operator === "++" ? "--" : "++", "unary");
}

function editTemplate(request: EditRequest): void {
  const { node, above } = request;
  if (above?.node.type === "TaggedTemplateExpression") return;
  replace(request, node.end - node.start === 2 ? '"changed"' : "``", "string");
}

function editObject(request: EditRequest): void {
  if (!isEmpty(request.node.properties)) replace(request, "{}", "collection");
}

function editTernary(request: EditRequest): void {
  const { test } = request.node;
  if (isNode(test) && !isTruth(test)) force(request, test, ["true", "false"]);
}

function editOptionalCall(request: EditRequest): void {
  editCall(request);
  editChain(request);
}

function editBinary(request: EditRequest): void {
  const { node } = request;
  const operator = String(node.operator);
  if (!isNode(node.left) || !isNode(node.right)) return;
  if (operator in COMPARISON) {
    swapOperator(request, COMPARISON[operator] ?? [], "comparison");
    forceTruth(request);
    return;
  }
  const first = node.left.type === "BinaryExpression" && isNode(node.left.right) ? node.left.right : node.left;
  if (TEXTS.has(first.type) || TEXTS.has(node.right.type)) return;
  swapOperator(request, ARITHMETIC[operator] ?? [], "arithmetic");
}

function editLogical(request: EditRequest): void {
  const { node, text, add } = request;
  const place = findOperator(request);
  const swapped = LOGICAL[String(node.operator)];
  if (!place || swapped === undefined) return;
  // The brackets keep the operands together: `a && b && c` becomes `(a || b) && c`, and `??` mixes with neither.
  const [left, right] = [text.slice(node.start, place[0]), text.slice(place[1], node.end)].map(bracketMixed);
  add(node.start, node.end, `(${left}${swapped}${right})`, "boolean");
  if (node.operator !== "??") forceTruth(request);
}

function editAssignment(request: EditRequest): void {
  const { node } = request;
  const operator = String(node.operator);
  const swapped = ASSIGNMENT[operator];
  if (swapped === undefined || !isNode(node.right)) return;
  const isLogical = operator === "&&=" || operator === "||=" || operator === "??=";
  if (!TEXTS.has(node.right.type) || isLogical) swapOperator(request, [swapped], "assignment");
}

function editUnary({ node, add }: EditRequest): void {
  if (node.operator === "!") add(node.start, node.start + 1, "", "boolean");
  if (node.operator === "~") add(node.start, node.start + 1, "", "unary");
  if (node.operator === "-") add(node.start, node.start + 1, " +", "unary");
  if (node.operator === "+") add(node.start, node.start + 1, " -", "unary");
}

function editString(request: EditRequest): void {
  const { node, above } = request;
  const parent = above?.node;
  if (!parent || parent.type === "JSXAttribute" || parent.type === "ExpressionStatement") return;
  const callee = parent.type === "CallExpression" && isNode(parent.callee) ? parent.callee : null;
  if (callee && (callee.name === "require" || callee.name === "Symbol" || callee.type === "Import")) return;
  replace(request, node.value === "" ? '"changed"' : '""', "string");
}

function bracketMixed(operand: string): string {
  if (!/&&|\|\||\?\?/.test(operand)) return operand;
  // A bracket at the end of a comment would be lost in it.
  return operand.includes("//") ? `(${operand})` : operand.replace(/^(\s*)(.*?)(\s*)$/s, "$1($2)$3");
}

/** A truth value that decides: what if it were always the same? Where both values mean what another edit does, one is enough. */
function forceTruth(request: EditRequest): void {
  const { node, above } = request;
  const parent = above?.node;
  if (!parent) return;
  const isTest = parent.test === node;
  if (isTest && (LOOPS.has(parent.type) || parent.type === "IfStatement")) return;
  const joint = parent.type === "LogicalExpression" ? parent.operator : null;
  if (joint !== "||") force(request, node, ["true"]);
  if (joint !== "&&") force(request, node, ["false"]);
}

function force({ add }: EditRequest, test: SyntaxNode, values: readonly string[]): void {
  for (const value of values) add(test.start, test.end, value, "condition");
}

/** Comparisons and what `&&` and `||` join: forced where they stand, whatever they decide. */
function isTruth(node: SyntaxNode): boolean {
  if (node.type === "LogicalExpression") return node.operator !== "??";
  return node.type === "BinaryExpression" && String(node.operator) in COMPARISON;
}

function swapOperator(request: EditRequest, words: readonly string[], name: Operator): void {
  const place = findOperator(request);
  if (place) for (const word of words) request.add(place[0], place[1], word, name);
}

/** The operator stands between its operands, beside brackets and comments. */
function findOperator({ text, node }: EditRequest): [start: number, end: number] | null {
  if (!isNode(node.left) || !isNode(node.right)) return null;
  const operator = String(node.operator);
  const between = text.slice(node.left.end, node.right.start).replace(/\/\*.*?\*\/|\/\/.*/gs, (comment) => {
    const end = comment.startsWith("//") ? comment.search(/[\n\r]|$/) : comment.length;
    return " ".repeat(end) + comment.slice(end);
  });
  const at = between.indexOf(operator);
  return at < 0 ? null : [node.left.end + at, node.left.end + at + operator.length];
}

function isEmpty(list: unknown): boolean {
  return !Array.isArray(list) || list.length === 0;
}
