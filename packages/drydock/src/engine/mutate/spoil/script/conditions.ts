import type { SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { changeExact } from "./change-exact.ts";
import { changeLiteral } from "./literals.ts";
import {
  argumentsOf,
  child,
  type EditedScript,
  isCall,
  nameOf,
  replace,
  surround,
  textOf,
  wrapValue,
} from "./nodes.ts";

const PARTS = new Set(["includes", "startsWith", "endsWith"]);

/** Edits after which a condition is false that holds for an honest implementation; null where it is a constant. */
export function makeFalse(script: EditedScript, node: SyntaxNode | null): Splice[] | null {
  if (!node || isConstant(node)) return null;
  return spoilComparison(script, node, ["===", "=="]) ?? negate(script, node);
}

/** The same for a condition that does not hold, such as that of `if (value !== 5) throw …`. */
export function makeTrue(script: EditedScript, node: SyntaxNode | null): Splice[] | null {
  if (!node || isConstant(node)) return null;
  if (node.type === "UnaryExpression" && node.operator === "!") return makeFalse(script, child(node, "argument"));
  return spoilComparison(script, node, ["!==", "!="]) ?? negate(script, node);
}

/** Operators stay: what equals everything must still pass. */
function spoilComparison(script: EditedScript, node: SyntaxNode, operators: readonly string[]): Splice[] | null {
  const [left, right] = [child(node, "left"), child(node, "right")];
  if (node.type === "BinaryExpression" && right && operators.includes(String(node.operator))) {
    return changeExact(script, right) ?? changeExact(script, left) ?? wrapValue(script, right);
  }
  if (node.type === "LogicalExpression" && node.operator === (operators.includes("===") ? "&&" : "||")) {
    return (left && spoilComparison(script, left, operators)) ?? (right && spoilComparison(script, right, operators));
  }
  if (node.type === "BinaryExpression" && left && right) {
    const moved = moveBound(script, String(node.operator), left, right, operators.includes("==="));
    if (moved) return moved;
  }
  if (isCall(node) && operators.includes("===") && PARTS.has(nameOf(child(node, "callee")))) {
    const [part] = argumentsOf(node);
    return part?.type === "StringLiteral" ? changeLiteral(script, part, true) : null;
  }
  return null;
}

/** A number that something must be below or above, moved out of reach. What is below and above everything still passes. */
function moveBound(
  script: EditedScript,
  operator: string,
  left: SyntaxNode,
  right: SyntaxNode,
  holds: boolean,
): Splice[] | null {
  if (!/^[<>]=?$/.test(operator)) return null;
  const isBelow = operator.startsWith("<") === holds;
  for (const [side, sign] of [
    [right, isBelow ? -1 : 1],
    [left, isBelow ? 1 : -1],
  ] as const) {
    const text = textOf(script, side);
    if (!/^-?\d+(\.\d+)?$/.test(text)) continue;
    return replace(side, String(Number(text) + sign * (Math.abs(Number(text)) * 1000 + 1_000_000)));
  }
  return null;
}

export function negate(script: EditedScript, node: SyntaxNode): Splice[] {
  const [left, right] = [child(node, "left"), child(node, "right")];
  if (node.type === "BinaryExpression" && left && right && /^!==?$/.test(String(node.operator))) {
    const at = script.text.indexOf(String(node.operator), left.end);
    if (at >= 0 && at < right.start) return [{ start: at, end: at + 1, replacement: "=" }];
  }
  // A keyword right before it must not grow into it: `!` is no letter.
  return surround(node, "!(", ")");
}

function isConstant({ type }: SyntaxNode): boolean {
  return type === "BooleanLiteral" || type === "NumericLiteral" || type === "StringLiteral" || type === "NullLiteral";
}
