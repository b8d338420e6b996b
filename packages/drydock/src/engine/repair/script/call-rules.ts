import { isNode } from "../../source/parse-script.ts";
import { type RuleRequest, shift } from "./rule-request.ts";

/** The edits at a call: its arguments, and the call itself. */
export function editCall(request: RuleRequest): void {
  const { node, put, replace, slice, whole, owner, text } = request;
  const args = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : [];
  const { callee } = node;
  if (!isNode(callee)) return;
  const opened = text.indexOf("(", callee.end) + 1;
  if (opened === 0 || opened > node.end) return;
  const texts = args.map(slice);
  const write = (list: readonly string[], prior: number) =>
    put(opened, node.end - 1, list.join(", "), "arguments", prior);
  for (let one = 0; one < texts.length; one++) {
    for (let other = one + 1; other < texts.length; other++) {
      write(texts.with(one, texts[other] ?? "").with(other, texts[one] ?? ""), 0.6);
    }
    if (texts.length > 0) write(texts.toSpliced(one, 1), 0.2);
  }
  for (const name of texts.length < 4 ? owner.names : []) {
    if (!texts.includes(name)) for (let at = 0; at <= texts.length; at++) write(texts.toSpliced(at, 0, name), 0.05);
  }
  if (node.type === "NewExpression") return;
  const method = isNode(callee.property) ? slice(callee.property) : slice(callee);
  for (const [place, extra] of extraArguments(method).entries()) {
    if (!texts.includes(extra)) write([...texts, extra], 0.3 * LESS_USUAL ** place);
  }
  if (texts.length === 1 && args[0]) replace(node, whole(args[0]), "unwrap", callee.type === "Identifier" ? 0.35 : 0.1);
  if (isNode(callee.object)) replace(node, whole(callee.object), "unwrap", texts.length === 0 ? 0.3 : 0.15);
  shift({ node, replace, whole }, 0.12);
}

function extraArguments(method: string): readonly string[] {
  return (Object.hasOwn(EXTRA_ARGUMENTS, method) ? EXTRA_ARGUMENTS[method] : undefined) ?? [];
}

/** The usual argument comes first: tests of a median do not tell an ascending order from a descending one. */
const LESS_USUAL = 0.8;
const EXTRA_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  sort: ["(a, b) => a - b", "(a, b) => b - a"],
  toSorted: ["(a, b) => a - b", "(a, b) => b - a"],
  reduce: ["0", "1", '""', "[]", "{}"],
  slice: ["1", "-1"],
  join: ['""', '","', '" "', '", "'],
  split: ['""', '","', '" "'],
  padStart: ['"0"', '" "'],
  parseInt: ["10"],
  toString: ["2", "16"],
  toFixed: ["2"],
  flat: ["Infinity"],
};
