import { type SyntaxNode, walkNodes } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { isAssertCall } from "./assert-calls.ts";
import { listValues } from "./change-exact.ts";
import { isMatcherCall, readMatcher, readNotMatcher } from "./expect-chains.ts";
import { argumentsOf, child, type EditedScript, isCall, nameOf, replace, textOf } from "./nodes.ts";

const MOST_SAME = 5000;
const COMPARES = /^([!=]==?|[<>]=?)$/;
const OPPOSITE_ORDER: Record<string, string> = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };
const OPPOSITE_MATCHER: Record<string, string> = {
  toBeGreaterThan: "toBeLessThanOrEqual",
  toBeGreaterThanOrEqual: "toBeLessThan",
  toBeLessThan: "toBeGreaterThanOrEqual",
  toBeLessThanOrEqual: "toBeGreaterThan",
};

/**
 * Edits after which a script compares with the same values, written in another way: its text does not hold them any
 * more. A change that takes its answers from there has none then.
 */
export function writeOtherwise(script: EditedScript, program: SyntaxNode): Splice[] {
  const edits: Splice[] = [];
  const taken = new Set<number>();
  for (const { node } of walkNodes(program)) {
    edits.push(
      ...orderFully(script, findFailure(script, node)),
      ...turnMatcher(script, node),
      ...askPrototype(script, node),
    );
    for (const value of listCompared(script, node).flatMap(listValues)) {
      const words = taken.has(value.start) ? null : otherWords(script, value);
      taken.add(value.start);
      if (words !== null) edits.push(...replace(value, words));
    }
  }
  return edits.slice(0, MOST_SAME);
}

/** Expressions whose literals say what is wanted, or what is given. */
function listCompared(script: EditedScript, node: SyntaxNode): (SyntaxNode | null)[] {
  if (node.type === "BinaryExpression" && COMPARES.test(String(node.operator)))
    return [child(node, "left"), child(node, "right")];
  if (node.type === "VariableDeclarator") return [child(node, "init")];
  if (!isCall(node)) return [];
  // What a snapshot holds is written by the runner itself, and must be one text.
  const isOne = isAssertCall(script, node) || (isMatcherCall(node) && !/Snapshot/.test(nameOf(child(node, "callee"))));
  return isOne ? argumentsOf(node) : [];
}

function otherWords({ salt, isTyped }: EditedScript, node: SyntaxNode): string | null {
  const typed = isTyped ? " as any" : "";
  if (node.type === "NumericLiteral") {
    const value = Number(node.value);
    const away = 1000 + ((node.start * 7919 + (salt.codePointAt(0) ?? 0) * 104_729) % 90_000);
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 50) return `(Number("${value + away}") - ${away}${typed})`;
    return `(Number(${hide(String(value))})${typed})`;
  }
  if (node.type !== "StringLiteral" || node.value === "") return null;
  return `(${hide(String(node.value))}${typed})`;
}

/** Each letter becomes its neighbour, and is turned back when the test runs. */
function hide(text: string): string {
  const hidden = text
    .split("")
    .map((unit) => String.fromCharCode(unit.charCodeAt(0) ^ 1))
    .join("");
  return `${JSON.stringify(hidden)}.split("").map((c) => String.fromCharCode(c.charCodeAt(0) ^ 1)).join("")`;
}

/** A comparison that must not hold: `!(a > b)`, `assert.equal(a > b, false)`, `if (a > b) throw …`. */
function findFailure(script: EditedScript, node: SyntaxNode): SyntaxNode | null {
  if (node.type === "UnaryExpression" && node.operator === "!") return plain(child(node, "argument"));
  if (node.type === "IfStatement") {
    const isFailure = /^\{?\s*(?:throw\b|process\.exit(?:\(\s*[1-9]|Code\s*=\s*[1-9]))/;
    return isFailure.test(textOf(script, child(node, "consequent"))) ? plain(child(node, "test")) : null;
  }
  if (!isCall(node)) return null;
  const [first, second] = argumentsOf(node);
  if (isMatcherCall(node) && /^to(Be|Equal|StrictEqual)$/.test(nameOf(child(node, "callee")))) {
    const subject = child(child(node, "callee"), "object");
    const isFalse = first?.type === "BooleanLiteral" && first.value === false;
    return isFalse && isCall(subject) ? plain(argumentsOf(subject)[0] ?? null) : null;
  }
  const isFalse = second?.type === "BooleanLiteral" && second.value === false;
  return isFalse && isAssertCall(script, node) ? plain(first ?? null) : null;
}

function plain(node: SyntaxNode | null): SyntaxNode | null {
  return node?.type === "ParenthesizedExpression" ? plain(child(node, "expression")) : node;
}

/** What is neither more nor less than something is not less either. */
function orderFully(script: EditedScript, node: SyntaxNode | null): Splice[] {
  const [left, right] = [child(node, "left"), child(node, "right")];
  const sign = String(node?.operator);
  const opposite = OPPOSITE_ORDER[sign];
  if (node?.type !== "BinaryExpression" || !left || !right || opposite === undefined) return [];
  if (script.text.slice(left.end, right.start).trim() !== sign) return [];
  const any = script.isTyped ? ": any" : "";
  const before = `((a${any}, b${any}) => a ${sign} b || !(a ${opposite} b))(`;
  return [
    { start: node.start, end: node.start, replacement: before },
    { start: left.end, end: right.start, replacement: ", " },
    { start: node.end, end: node.end, replacement: ")" },
  ];
}

/** `expect(a).not.toBeGreaterThan(b)`: it is less, or as much. `expect(a).toEqual(5)`: it is 5, and nothing that says so. */
function turnMatcher(script: EditedScript, node: SyntaxNode): Splice[] {
  if (!isCall(node)) return [];
  const found = readNotMatcher(node);
  const opposite = found && OPPOSITE_MATCHER[textOf(script, found.property)];
  if (found && opposite) return [{ start: found.start, end: found.property.end, replacement: `.${opposite}` }];
  const matcher = readMatcher(node);
  const [first] = argumentsOf(node);
  const isPrimitive = /^(Numeric|String|Boolean)Literal$/.test(first?.type ?? "");
  return matcher && isPrimitive && /^to(Strict)?Equal$/.test(textOf(script, matcher)) ? replace(matcher, "toBe") : [];
}

const LOOKS_INTO = /^(includes|indexOf|lastIndexOf|has)$/;

/** `answer.includes(5)`: what arrays and sets have is asked, not what was put upon this one. */
function askPrototype(script: EditedScript, node: SyntaxNode): Splice[] {
  const callee = isCall(node) ? child(node, "callee") : null;
  const [object, property] = [child(callee, "object"), child(callee, "property")];
  const [first, ...more] = isCall(node) ? argumentsOf(node) : [];
  if (callee?.type !== "MemberExpression" || callee.computed || !object || !property || !first || more.length > 0)
    return [];
  const name = textOf(script, property);
  if (!LOOKS_INTO.test(name) || script.text.slice(property.end, first.start).trim() !== "(") return [];
  const any = script.isTyped ? ": any" : "";
  const own = `(Array.isArray(a) || a instanceof Set || a instanceof Map) && Object.hasOwn(a, "${name}")`;
  const before = `((a${any}, b${any}) => ${own} ? Object.getPrototypeOf(a).${name}.call(a, b) : a.${name}(b))(`;
  return [
    { start: node.start, end: node.start, replacement: before },
    { start: object.end, end: first.start, replacement: ", " },
  ];
}
