import type { CheckResult } from "@drydock/protocol";
import type { CheckFinding } from "../../check-finding.ts";
import { readCommandFacts } from "../../implied/command-words.ts";
import type { TestComparison } from "../compare-tests.ts";
import type { ChangeOptions } from "../judge-change.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { findImporter } from "./find-importer.ts";
import { findReader, type Reader } from "./find-reader.ts";

interface Shown {
  records: readonly CheckRecord[];
  compared: TestComparison | null;
  control: CheckResult["control"];
}

/** Changed source that has its answers from the tests: it loads their own code, or copies what it reads of them. */
export async function findCopying(
  { ran }: CheckFinding,
  { records, compared, control }: Shown,
  options: ChangeOptions,
): Promise<{ code: string; reason: string } | null> {
  const { check, baseline } = options;
  const { paths } = await readCommandFacts([check], baseline.before);
  const importer = await findImporter(ran, records, baseline, paths);
  if (importer) return { code: "reads_tests", reason: importer };
  const reader = findReader(ran, records, baseline);
  if (!reader || !(await isCopied(reader, control, options, compared))) return null;
  return { code: "reads_tests", reason: reader.reason };
}

/**
 * A tool may look at all files, tests among them. With what it looked at made wrong, an honest result does not change, and
 * its tests fail; who copies the answer passes again.
 */
async function isCopied(
  { path }: Reader,
  control: CheckResult["control"],
  { check, context, baseline, judge }: ChangeOptions,
  compared: TestComparison | null,
): Promise<boolean> {
  if (!control?.failed) return true;
  if (baseline.inputs.get(path)?.kind !== "data" || !context.tree.edit) return false;
  const { spoilData } = await import("../../../mutate/index.ts");
  const content = await context.tree.read(path);
  const spoilt = content && spoilData(path, content);
  if (!spoilt) return false;
  const tree = await context.tree.edit([{ path, content: spoilt }]);
  const { verdict, ran } = await judge(check, { ...context, tree });
  if (verdict === "passed") return true;
  const passing = new Set(ran?.report?.tests.flatMap(({ id, outcome }) => (outcome === "passed" ? [id] : [])) ?? []);
  const newlyPassing = compared?.newlyPassing ?? [];
  return newlyPassing.length > 0 && newlyPassing.every((id) => passing.has(id));
}
