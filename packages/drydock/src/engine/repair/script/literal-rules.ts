import { isNode, type SyntaxNode } from "../../source/parse-script.ts";
import { isIdle, likeness, type RuleRequest } from "./rule-request.ts";

/** The edits at a number, a string, a truth value or a regular expression. */
export function editLiteral(given: RuleRequest): void {
  const request = given.above?.node.type === "AssignmentPattern" ? unlikely(given) : given;
  const { node, above, replace, owner } = request;
  const isValue = /^(Numeric|String|Boolean|Null)Literal$/.test(node.type) && above?.node.key !== node;
  // What a loop goes on by is often a parameter.
  const prior = above?.node.type === "AssignmentExpression" && above.node.operator !== "=" ? 0.35 : 0.09;
  for (const name of isValue ? owner.names : []) replace(node, name, "variable", prior);
  switch (node.type) {
    case "BooleanLiteral":
      replace(node, node.value === true ? "false" : "true", "literal", 0.8);
      break;
    case "NullLiteral":
      for (const other of ["0", "[]", '""', "undefined", "false"]) replace(node, other, "literal", 0.1);
      break;
    case "NumericLiteral":
      editNumber(request);
      break;
    case "StringLiteral":
      if (above?.node.type !== "ImportDeclaration" && above?.node.key !== node) editString(request);
      break;
    case "RegExpLiteral":
      editPattern(request);
      break;
  }
}

/** Others call it without the argument as well: another default is seldom what was meant. */
const OF_DEFAULT = 0.4;

function unlikely(request: RuleRequest): RuleRequest {
  const { put, replace } = request;
  return {
    ...request,
    put: (start, end, text, kind, prior) => put(start, end, text, kind, prior * OF_DEFAULT),
    replace: (node, text, kind, prior) => replace(node, text, kind, prior * OF_DEFAULT),
  };
}

/** Puts another number in the place of one, as a person would write it: no `+ 0`, and no `- -1`. */
function putNumber(request: RuleRequest, value: number, prior: number): void {
  const other = Math.round(value * 1e12) / 1e12;
  const parent = request.above?.node;
  const idle = isIdle(String(parent?.operator ?? "").replace(/=$/, ""), other);
  if (parent?.type === "AssignmentExpression" && idle) return;
  const plain = parent?.type === "BinaryExpression" ? writePlainly(request, parent, other, idle) : null;
  if (parent && plain !== null) request.put(parent.start, parent.end, plain, "literal", prior);
  else request.replace(request.node, String(other), "literal", prior);
}

/** An operation without the operand that would do nothing, or with one sign instead of two; null: the number is as good. */
function writePlainly(
  { node, slice, whole }: RuleRequest,
  { left, right, operator }: SyntaxNode,
  other: number,
  idle: boolean,
): string | null {
  if (!isNode(left) || !isNode(right)) return null;
  if (left === node) return idle && operator === "*" ? whole(right) : null;
  // At the end of a text, 0 is not nothing.
  if (operator === "+" && /^(String|Template)Literal$/.test(left.type)) return null;
  const shown = Object(left.extra).parenthesized === true ? whole(left) : slice(left);
  if (idle) return shown;
  if (other >= 0 || (operator !== "+" && operator !== "-")) return null;
  return `${shown} ${operator === "+" ? "-" : "+"} ${-other}`;
}

function editNumber(request: RuleRequest): void {
  const { node, replace, parts, hints } = request;
  const value = Number(node.value);
  for (const other of [value + 1, value - 1]) putNumber(request, other, 0.6);
  for (const other of [
    0,
    1,
    2,
    -1,
    -value,
    10,
    100,
    value * 2,
    value / 2,
    value * 10,
    value / 10,
    value * 100,
    value / 100,
  ]) {
    putNumber(request, other, Number.isInteger(value) === Number.isInteger(other) ? 0.15 : 0.05);
  }
  for (const other of value === 0 ? ["null", "undefined", '""', "[]"] : []) replace(node, other, "literal", 0.06);
  for (const other of parts.numbers) putNumber(request, other, 0.2);
  for (const other of hints.numbers) putNumber(request, other, Math.abs(value) > 9 ? 0.1 : 0.05);
}

const COMMON = ["", " ", ",", ", ", "-", "_", ".", ":", "/", "0", "\n"];

function editString({ node, replace, parts, hints, slice }: RuleRequest): void {
  const value = String(node.value);
  const quote = slice(node).startsWith("'") ? "'" : '"';
  const show = (text: string) => {
    const shown = JSON.stringify(text);
    return quote === '"' ? shown : `'${shown.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  };
  for (const other of new Set([...parts.strings, ...hints.strings, ...COMMON])) {
    if (other === value || other.length > 60) continue;
    const close = value.length > 2 ? likeness(value, other) : 0.2;
    replace(node, show(other), "string", 0.04 + 0.5 * close * close);
  }
  for (const other of [value.toUpperCase(), value.toLowerCase(), value.trim(), `${value} `, ` ${value}`]) {
    if (other !== value) replace(node, show(other), "string", 0.08);
  }
}

function editPattern({ node, put, text }: RuleRequest): void {
  const end = text.lastIndexOf("/", node.end);
  const flags = text.slice(end + 1, node.end);
  for (const flag of ["g", "i", "m"]) {
    put(end + 1, node.end, flags.includes(flag) ? flags.replace(flag, "") : flags + flag, "regex", 0.4);
  }
  for (let at = node.start + 1; at < end; at++) {
    if (text[at - 1] === "\\") continue;
    if (/[+*?]/.test(text[at] ?? "")) for (const other of ["+", "*", "?", ""]) put(at, at + 1, other, "regex", 0.3);
    if (text[at] === "]" || text[at] === ")") for (const other of ["+", "*"]) put(at + 1, at + 1, other, "regex", 0.1);
  }
  put(node.start + 1, node.start + 1, "^", "regex", 0.15);
  put(end, end, "$", "regex", 0.15);
  for (const [from, to] of [
    ["\\d", "\\w"],
    ["\\w", "\\d"],
    ["\\s", "\\S"],
    ["\\S", "\\s"],
    ["\\d", "\\D"],
  ] as const) {
    for (let at = text.indexOf(from, node.start); at >= 0 && at < end; at = text.indexOf(from, at + 1)) {
      put(at, at + 2, to, "regex", 0.2);
    }
  }
}
