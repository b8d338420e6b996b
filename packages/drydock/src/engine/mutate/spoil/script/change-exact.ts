import type { SyntaxNode } from "../../../source/parse-script.ts";
import type { Splice } from "../../../source/splice.ts";
import { changeLiteral } from "./literals.ts";
import { child, children, type EditedScript, textOf } from "./nodes.ts";

const MOST_FURTHER = 24;

/**
 * Changes a literal that is compared exactly, and notes further ways to make it wrong: an object that equals nearly
 * everything, or a comparison that looks at one value of many, fails for the first way and passes for another.
 */
export function changeExact(script: EditedScript, node: SyntaxNode | null): Splice[] | null {
  const edits = changeLiteral(script, node);
  if (!edits || !node) return edits;
  const values = listValues(node).slice(0, MOST_FURTHER);
  const others = values.flatMap((value) => {
    const group = changeLiteral(script, value);
    return group && JSON.stringify(group) !== JSON.stringify(edits) ? [group] : [];
  });
  const swapped = listArrays(node).flatMap((array) => swapElements(script, array) ?? []);
  script.further.set(edits, { others, near: swapped.map((splice) => [splice]) });
  return edits;
}

/** The literals inside that each matter by themselves. */
export function listValues(node: SyntaxNode | null): SyntaxNode[] {
  if (node?.type === "ArrayExpression") return children(node, "elements").flatMap(listValues);
  if (node?.type === "ObjectExpression") return propertiesOf(node).flatMap(listValues);
  if (node?.type === "UnaryExpression" && node.operator === "-") return listValues(child(node, "argument"));
  return node && /^(Numeric|String|Boolean|Null|BigInt)Literal$/.test(node.type) ? [node] : [];
}

function listArrays(node: SyntaxNode | null): SyntaxNode[] {
  if (node?.type === "ArrayExpression") return [node, ...children(node, "elements").flatMap(listArrays)];
  return node?.type === "ObjectExpression" ? propertiesOf(node).flatMap(listArrays) : [];
}

function propertiesOf(node: SyntaxNode): (SyntaxNode | null)[] {
  return children(node, "properties").map((each) => (each.type === "ObjectProperty" ? child(each, "value") : null));
}

/** Two neighbours that differ, in each other's place. */
function swapElements(script: EditedScript, array: SyntaxNode): Splice | null {
  const elements = children(array, "elements");
  for (const [index, left] of elements.entries()) {
    const right = elements[index + 1];
    if (!right || left.type === "SpreadElement" || right.type === "SpreadElement") continue;
    const [first, second] = [textOf(script, left), textOf(script, right)];
    if (first === second) continue;
    const between = script.text.slice(left.end, right.start);
    return { start: left.start, end: right.end, replacement: `${second}${between}${first}` };
  }
  return null;
}
