import type { CommandRun } from "../../check-finding.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { Baseline } from "../baseline.ts";
import { isCode } from "../judged-subject.ts";
import type { CheckRecord } from "../records/base-record.ts";

/** Helpers that a package offers to others, or that stand for parts of it: source may use them. */
const OFFERED = /(^|\/)(testing|fixtures|mocks|fakes|stubs)\//;

/**
 * Changed source that loads code of the tests which it did not load before: tests that compare the two compare one function
 * with itself, and a spoiled expectation shows nothing of that. Null: none does.
 */
export async function findImporter(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  baseline: Baseline,
  /** What the command names may load tests: that is how it runs them. */
  programs: ReadonlySet<string>,
): Promise<string | null> {
  const changed = new Set(baseline.changed.map(({ path }) => path));
  const imports = listImports(ran?.report?.files ?? []);
  const before = new Set(records.flatMap(({ report }) => listImports(report?.files ?? []).map(toKey)));
  const isTests = (path: string) => isTestFile(path) || baseline.inputs.get(path)?.kind === "tests";
  const used = new Set(imports.flatMap(({ path, by }) => (isTests(by) ? [path] : [])));
  for (const { path, by } of imports) {
    if (
      !changed.has(by) ||
      isTests(by) ||
      programs.has(by) ||
      baseline.inputs.has(by) ||
      before.has(toKey({ path, by }))
    )
      continue;
    const isJudge = isTests(path) && isCode(path) && !isMarker(path) && !OFFERED.test(path);
    const isSeen = used.has(path) || baseline.inputs.has(path);
    if (!isJudge || !isSeen || (await names(by, path, baseline))) continue;
    return `${by}, which was changed, loads ${path}, which is code of the tests by which it is judged.`;
  }
  return null;
}

type Import = { path: string; by: string };

function listImports(files: readonly { path: string; how: string; by: string | null }[]): Import[] {
  return files.flatMap(({ path, how, by }) => (how === "import" && by !== null && by !== path ? [{ path, by }] : []));
}

function toKey({ path, by }: Import): string {
  return `${by}\0${path}`;
}

/** Loaded with whatever lies in the package. */
function isMarker(path: string): boolean {
  return path.endsWith("__init__.py");
}

/** Whether the file named the other before the change already, though no run got as far as to load it. */
async function names(by: string, path: string, { before }: Baseline): Promise<boolean> {
  const text = (await before.read(by))?.toString() ?? "";
  const stem = /([^/]+?)(?:\/index)?\.[^/]*$/.exec(path)?.[1] ?? path;
  return text.split("\n").some((line) => /\b(?:import|require|from)\b/.test(line) && line.includes(stem));
}
