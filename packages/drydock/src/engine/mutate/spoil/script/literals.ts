import type { SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { changeQuoted } from "../change-text.ts";
import { argumentsOf, child, children, type EditedScript, nameOf, replace, textOf } from "./nodes.ts";

/** What takes a value and stands for it: a literal inside can be changed without breaking the call. */
const VALUES = new Set([
  "Set",
  "Map",
  "Date",
  "Error",
  "TypeError",
  "RangeError",
  "BigInt",
  "Number",
  "String",
  "from",
]);
const INNER: Record<string, string> = {
  UnaryExpression: "argument",
  TSAsExpression: "expression",
  TSSatisfiesExpression: "expression",
  TSNonNullExpression: "expression",
  TSTypeAssertion: "expression",
  ParenthesizedExpression: "expression",
};

/** Edits that give a literal expression another value; null where it holds no literal that surely matters. */
export function changeLiteral(script: EditedScript, node: SyntaxNode | null, far = false): Splice[] | null {
  switch (node?.type) {
    case "NumericLiteral":
      return replace(node, changedNumber(Number(node.value), far));
    case "BigIntLiteral":
      return replace(node, changedBigInt(String(node.value)));
    case "StringLiteral":
    case "TemplateLiteral":
      return replace(node, changeQuoted(textOf(script, node), far, node.start, script.salt));
    case "BooleanLiteral":
      return replace(node, String(!node.value));
    case "NullLiteral":
      return replace(node, "0");
    case "Identifier":
      return ["undefined", "NaN", "Infinity"].includes(String(node.name)) ? replace(node, "0") : null;
    case "ArrayExpression":
      return node.end - node.start === 2
        ? insertFirst(node, "0")
        : changeFirst(script, children(node, "elements"), far);
    case "ObjectExpression":
      return changeObject(script, node, far);
    case "BinaryExpression":
      if (node.operator !== "+" && node.operator !== "-") return null;
      return changeFirst(script, [child(node, "right"), child(node, "left")], far);
    case "NewExpression":
    case "CallExpression": {
      if (!VALUES.has(nameOf(child(node, "callee")))) return null;
      return changeLiteral(script, argumentsOf(node)[0] ?? null, far);
    }
    case "UnaryExpression":
      if (node.operator === "void") return replace(node, "0");
      return node.operator === "-" || node.operator === "+"
        ? changeLiteral(script, child(node, "argument"), far)
        : null;
    default:
      return node && INNER[node.type] ? changeLiteral(script, child(node, INNER[node.type] ?? ""), far) : null;
  }
}

export function changeFirst(script: EditedScript, nodes: readonly (SyntaxNode | null)[], far = false): Splice[] | null {
  for (const node of nodes) {
    const edits = changeLiteral(script, node, far);
    if (edits) return edits;
  }
  return null;
}

function changeObject(script: EditedScript, node: SyntaxNode, far: boolean): Splice[] | null {
  const properties = children(node, "properties");
  if (properties.length === 0) return node.end - node.start === 2 ? insertFirst(node, "value: 0") : null;
  return changeFirst(
    script,
    properties.map((property) => (property.type === "ObjectProperty" ? child(property, "value") : null)),
    far,
  );
}

function insertFirst(node: SyntaxNode, replacement: string): Splice[] {
  return [{ start: node.start + 1, end: node.start + 1, replacement }];
}

function changedNumber(value: number, far: boolean): string {
  if (!Number.isFinite(value)) return "1";
  if (far) return String(value * 3 + 7);
  if (value + 1 === value || Math.abs(value) > 2 ** 50) return String(value / 3);
  // Close to it: what is compared with a tolerance of its own passes still.
  return String(Number.isInteger(value) ? value + 1 : value + Math.max(Math.abs(value), 1) * 0.001);
}

function changedBigInt(value: string): string {
  return `${BigInt(value) + 1n}n`;
}
