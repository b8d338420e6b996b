import { isNode } from "../../source/parse-script.ts";
import type { EditRequest } from "./list-script-edits.ts";
import { DROPPED_METHODS, SWAPPED_METHODS } from "./script-words.ts";

/** The edits at one call: its method becomes another one, or it is left out. */
export function editCall({ node, text, add }: EditRequest): void {
  const { callee } = node;
  if (!isNode(callee)) return;
  if (callee.name === "Array" && Array.isArray(node.arguments) && node.arguments.length > 0) {
    const last = node.arguments.at(-1);
    const first = node.arguments[0];
    if (isNode(first) && isNode(last)) add(first.start, last.end, "", "collection");
  }
  const { object, property } = callee;
  if (node.type === "NewExpression" || callee.computed === true || !isNode(object) || !isNode(property)) return;
  const name = String(property.name);
  const swapped = SWAPPED_METHODS.get(name);
  if (swapped !== undefined) add(property.start, property.end, swapped, "call");
  if (!DROPPED_METHODS.has(name)) return;
  // Up to the dot: the object may stand in brackets.
  const objectEnd = text.slice(0, property.start).replace(/\??\.\s*$/, "").length;
  add(node.start, node.end, text.slice(node.start, objectEnd), "call");
}

/** `a?.b` becomes `a.b`. */
export function editChain({ node, text, add }: EditRequest): void {
  if (node.optional !== true) return;
  const before = isNode(node.object) ? node.object : node.callee;
  if (!isNode(before)) return;
  const at = text.indexOf("?.", before.end);
  if (at < 0 || at >= node.end) return;
  const isPlainMember = node.type === "OptionalMemberExpression" && node.computed !== true;
  add(at, at + 2, isPlainMember ? "." : "", "chaining");
}
