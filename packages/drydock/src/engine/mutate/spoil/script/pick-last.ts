import { type SyntaxNode, walkNodes } from "../../parse-script.ts";
import type { Splice } from "../../splice.ts";
import { argumentsOf, isCall, nameOf } from "./nodes.ts";

/** Of each test only the last expectation, and the titles of these tests; of a script without tests the last of all. */
export function pickLast(
  groups: readonly Splice[][],
  program: SyntaxNode,
): { last: readonly Splice[][]; names: string[] } {
  const ordered = groups.filter((group) => group.length > 0).sort((a, b) => startOf(a) - startOf(b));
  const tests: { start: number; end: number; title: string }[] = [];
  for (const { node } of walkNodes(program)) {
    if (!isCall(node)) continue;
    const [title] = argumentsOf(node);
    const callee = node.callee as SyntaxNode;
    const isTest = ["test", "it"].includes(nameOf(callee));
    if (isTest && title?.type === "StringLiteral") {
      tests.push({ start: node.start, end: node.end, title: String(title.value) });
    }
  }
  const last = new Map<(typeof tests)[number], Splice[]>();
  for (const group of ordered) {
    const around = tests.filter(({ start, end }) => start <= startOf(group) && startOf(group) < end);
    // The innermost one: tests may hold tests.
    const own = around.sort((a, b) => b.start - a.start)[0];
    if (own) last.set(own, group);
  }
  if (last.size > 0)
    return { last: [...last.values()], names: [...new Set([...last.keys()].map(({ title }) => title))] };
  return { last: ordered.slice(-1), names: [] };
}

function startOf(group: readonly Splice[]): number {
  return group[0]?.start ?? 0;
}
