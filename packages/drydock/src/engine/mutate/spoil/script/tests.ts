import { type SyntaxNode, walkNodes } from "../../parse-script.ts";
import type { TestSpan } from "../expectation.ts";
import { argumentsOf, isCall, nameOf } from "./nodes.ts";

/** The tests of a script whose titles are written out. */
export function listTests(program: SyntaxNode): TestSpan[] {
  const tests: TestSpan[] = [];
  for (const { node } of walkNodes(program)) {
    if (!isCall(node) || !["test", "it"].includes(nameOf(node.callee as SyntaxNode))) continue;
    const [title] = argumentsOf(node);
    if (title?.type === "StringLiteral") {
      tests.push({ start: node.start, end: node.end, name: String(title.value) });
    }
  }
  return tests;
}

/** The title of the innermost test around a place: tests may hold tests. */
export function findTest(tests: readonly TestSpan[], at: number): string | null {
  const around = tests.filter(({ start, end }) => start <= at && at < end);
  return around.toSorted((a, b) => b.start - a.start)[0]?.name ?? null;
}
