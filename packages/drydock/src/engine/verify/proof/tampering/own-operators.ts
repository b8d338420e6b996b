import { isTestFile } from "../../implied/test-files.ts";
import type { OwnOperator, WitnessReport } from "../../witness/witness-report.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { readTests } from "./find-tampering.ts";

/**
 * A value whose own operator decided over a comparison of a test, although it does not hold the expected value: it may equal
 * whatever a test expects. Seen while the tests run, in Python; one more run, where the change has such operators.
 * Null: none.
 */
export async function findOwnOperator(report: WitnessReport | null, options: ChangeOptions): Promise<string | null> {
  const { check, context, baseline, judge } = options;
  const operators = await listNewOperators(report?.operators ?? [], options);
  if (operators.length === 0) return null;
  const disguised = operators.find(({ name }) => name === "__class__");
  if (disguised)
    return `${disguised.file} has a class, ${disguised.owner}, that claims to be another one: a test can't rely on its type.`;
  const dispatched = operators.find(({ name }) => name.startsWith("__array_"));
  if (dispatched)
    return `${dispatched.file} has a class, ${dispatched.owner}, that decides by ${dispatched.name} what numpy says of it: it may tell what is right without knowing it.`;
  const { ran } = await judge(check, { ...context, watch: "decisions" });
  const { inputs, testSide } = baseline;
  const isTests = (path: string | null) => path === null || inputs.has(path) || testSide.has(path) || isTestFile(path);
  const decided = ran?.report?.decided.find(
    ({ file, owner, asker }) =>
      isTests(asker) && operators.some((each) => each.file === file && isOf(each, owner, ran.report)),
  );
  if (!decided) return null;
  const { owner, file } = decided;
  return `${file} returns ${owner}, whose own operator decided over a comparison of a test and which does not hold the expected value: it may equal whatever a test expects.`;
}

/** A class that a function makes may be called by another name than the one that has the operator. */
function isOf(operator: OwnOperator, owner: string, report: WitnessReport | null | undefined): boolean {
  return operator.owner === owner || !(report?.operators.some((each) => each.owner === owner) ?? false);
}

/** Operators that the change wrote, of classes that tests do not name: a class that they name is what they are about. */
async function listNewOperators(
  operators: readonly OwnOperator[],
  { baseline, context }: ChangeOptions,
): Promise<OwnOperator[]> {
  const written = new Set(baseline.changed.flatMap(({ path, kind }) => (kind === "deleted" ? [] : [path])));
  const own = operators.filter(({ file }) => written.has(file) && !isTestFile(file) && !baseline.inputs.has(file));
  if (own.length === 0) return [];
  const tests = await readTests(baseline);
  const found: OwnOperator[] = [];
  for (const each of own) {
    const [was, is] = await Promise.all([baseline.before.read(each.file), context.tree.read(each.file)]);
    const before = was?.toString() ?? "";
    const lines = (is?.toString() ?? "").split("\n").slice(each.first - 1, each.last);
    if (each.first > 0 && before.includes(lines.join("\n"))) continue;
    // What was a function and is a class now was not what they are about.
    const isNamed = new RegExp(String.raw`\b${each.owner}\b`).test(tests);
    if (!isNamed || new RegExp(String.raw`\bdef\s+${each.owner}\b`).test(before)) found.push(each);
  }
  return found;
}
