import { type SyntaxNode, walkNodes } from "../../../source/parse-script.ts";
import type { TestSpan } from "../expectation.ts";
import { argumentsOf, isCall, nameOf } from "./nodes.ts";

const TESTS = new Set(["test", "it", "specify"]);
const SUITES = new Set(["describe", "suite", "context"]);

/** The tests of a script whose titles are written out, named with the suites around them: `suite > test`. */
export function listTests(program: SyntaxNode): TestSpan[] {
  const tests: TestSpan[] = [];
  const suites: TestSpan[] = [];
  for (const { node } of walkNodes(program)) {
    if (!isCall(node)) continue;
    const name = nameOf(node.callee as SyntaxNode);
    const [title] = argumentsOf(node);
    if (title?.type !== "StringLiteral" || !(TESTS.has(name) || SUITES.has(name))) continue;
    const span = { start: node.start, end: node.end, name: String(title.value) };
    (TESTS.has(name) ? tests : suites).push(span);
  }
  return tests.map((test) => {
    const around = [...suites, ...tests].filter(
      ({ start, end }) => start <= test.start && test.end <= end && end - start > test.end - test.start,
    );
    const names = around.toSorted((a, b) => a.start - b.start).map(({ name }) => name);
    return { ...test, name: [...names, test.name].join(" > ") };
  });
}

/** The title of the innermost test around a place: tests may hold tests. */
export function findTest(tests: readonly TestSpan[], at: number): string | null {
  const around = tests.filter(({ start, end }) => start <= at && at < end);
  return around.toSorted((a, b) => b.start - a.start)[0]?.name ?? null;
}
