import type { CheckResult } from "@drydock/protocol";
import { isTestFile } from "../implied/test-files.ts";
import type { TreeEdit } from "../judged-tree.ts";
import type { Baseline } from "./baseline.ts";
import type { TestComparison } from "./compare-tests.ts";
import type { ChangeOptions } from "./judge-change.ts";
import { TURNS_COVERAGE } from "./tampering/suspect-words.ts";

export function listAddedTests({ baseline }: ChangeOptions): string[] {
  return baseline.changed.filter(({ path, kind }) => kind === "added" && isTestFile(path)).map(({ path }) => path);
}

/** Whether the change consists of test files that it adds. */
export function isTestsAlone({ changed }: Baseline, additions: readonly string[]): boolean {
  return additions.length > 0 && additions.length === changed.length;
}

/** Whether the check shows that the change does something, or why it does not. */
export async function findDoubt(
  options: ChangeOptions,
  compared: TestComparison | null,
  passedBefore: boolean,
  additions: readonly string[],
): Promise<Pick<CheckResult, "proves" | "doubt">> {
  const { check, context, baseline, judge } = options;
  if (!passedBefore && (compared === null || compared.newlyPassing.length > 0 || compared.added.length === 0)) {
    return { proves: true };
  }
  const rewritten = baseline.changed.filter(
    ({ path, kind }) => kind === "changed" && isTestFile(path) && options.mayChange(path, true),
  );
  // Where a person lets tests be corrected and nothing else is changed, that is the work.
  if (!passedBefore && rewritten.length > 0 && rewritten.length === baseline.changed.length) return { proves: true };
  // So it is where only tests are added and a command that failed before asks for more than that they pass: coverage.
  if (!passedBefore && isTestsAlone(baseline, additions) && !(await turnsCoverage(options, additions))) {
    return { proves: true };
  }
  const paths = [...additions, ...rewritten.map(({ path }) => path)];
  if (paths.length === 0 || !baseline.before.edit) return passedBefore ? { proves: false } : { proves: true };
  const edits: TreeEdit[] = [];
  for (const path of paths) {
    const content = await context.tree.read(path);
    if (content) edits.push({ path, content });
  }
  const finding = await judge(check, { ...context, tree: await baseline.before.edit(edits) });
  if (finding.verdict !== "passed") return { proves: true };
  return {
    proves: false,
    doubt: "The tests that were added or changed pass without the rest of the change as well, so they do not prove it.",
  };
}

/** Whether an added test holds words by which it could have coverage counted otherwise, or end the command by itself. */
async function turnsCoverage({ context }: ChangeOptions, additions: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(additions.map((path) => context.tree.read(path)));
  return texts.some((text) => TURNS_COVERAGE.test(text?.toString() ?? ""));
}
