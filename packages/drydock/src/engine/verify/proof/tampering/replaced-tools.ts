import { isTestConfiguration, isTestFile } from "../../implied/test-files.ts";
import type { ReplacedTool, WitnessReport } from "../../witness/witness-report.ts";
import type { Baseline } from "../baseline.ts";
import { looksLikeCheck } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";

/** Libraries by which tests put stand-ins in the place of clocks and functions. */
const STAND_INS =
  /(^|\/)node_modules\/(?:.*\/node_modules\/)?(?:@sinonjs\/|sinon\/|@jest\/|jest-|tinyspy\/|@vitest\/|vitest\/|testdouble\/|mockdate\/|timekeeper\/|nock\/|msw\/|@mswjs\/)|^node:(?:internal\/test_runner\/|domain$)|\/unittest\/mock\.py$|\/(?:freezegun|time_machine|responses|_pytest)\//;
/** What ends a process is often wrapped by libraries that tidy up at its end, and what shows a stack by those that compile. */
const BY_PACKAGES = /^(?:process\.(?:emit|reallyExit|exit|on)|Error\.prepareStackTrace)$/;
/** What runners and compilers set up for themselves in the processes that run tests. */
const OF_A_RUNNER = /^(?:process|console|Error)\./;
const PIRATES = /(^|\/)node_modules\/pirates\//;
const PACKAGES = /(^|\/)(?:node_modules|site-packages|dist-packages)\//;

/**
 * A tool of the tests that the judged run replaced, and the run on an untouched tree did not: what the tests say then can't
 * be relied on. Tests may replace what they like themselves. Null: none.
 */
export function findReplacedTool(
  report: WitnessReport | null,
  records: readonly CheckRecord[],
  { inputs, testSide }: Pick<Baseline, "inputs" | "testSide">,
): string | null {
  const before = new Set(records.flatMap((record) => record.report?.replaced.map(({ what }) => what) ?? []));
  const isTests = (path: string) => isOfTests(path) || inputs.has(path) || testSide.has(path);
  const ran = new Set(records.flatMap((record) => record.report?.runners.map(({ name }) => name) ?? []));
  // Where a build failed before the tests were reached, nobody has seen what their runner does by itself.
  const isFirst = report?.runners.some(({ name }) => !ran.has(name)) ?? false;
  const isRunners = ({ what, by }: ReplacedTool) =>
    isFirst && OF_A_RUNNER.test(what) && by !== null && (by.startsWith("node:") || PACKAGES.test(by));
  // jest loads its own parts by this, and tests in another way. More than one file of tests, and it does so in other processes.
  const runners = report?.runners ?? [];
  const isJest = runners.length > 0 && runners.every(({ name }) => name === "jest");
  const isJests = ({ what, by }: ReplacedTool) =>
    isJest && what.startsWith("Module._extensions") && PIRATES.test(by ?? "");
  const found = report?.replaced.find(
    (each) => !before.has(each.what) && !isRunners(each) && !isJests(each) && isWrong(each, isTests),
  );
  if (!found) return null;
  const { what, by } = found;
  const who = by === null ? "" : `, by what ${by} holds`;
  return `The run replaced ${what}, which the tests may use${who}: what they say of the change can't be relied on.`;
}

/** Whether a file is there for tests, by its name. */
function isOfTests(path: string): boolean {
  return isTestFile(path) || isTestConfiguration(path) || /testing|fixture|mock/i.test(path);
}

function isWrong({ what, by, program, holder }: ReplacedTool, isTests: (path: string) => boolean): boolean {
  // A program that tests start has no tests in it.
  if (program !== null && !isTests(program) && !looksLikeCheck(program)) return false;
  if (holder !== null && !isTests(holder)) return false;
  if (by === null) return true;
  if (STAND_INS.test(by) || (BY_PACKAGES.test(what) && PACKAGES.test(by))) return false;
  return PACKAGES.test(by) || !isTests(by);
}

/** Packages that only tests have a use for. */
const FOR_TESTS =
  /^(?:(?:node:)?(?:assert|test)|fast-check|chai|sinon|expect|vitest|mocha|jest|should|@(?:jest|vitest|fast-check|sinonjs)\/.+)(?:\/.*)?$/;

/** A changed file of the work that asks for what tests are made with, and did not before. Null: none. */
export async function findToolUser(
  report: WitnessReport | null,
  { changed, inputs, before }: Pick<Baseline, "changed" | "inputs" | "before">,
): Promise<string | null> {
  const written = new Set(changed.flatMap(({ path, kind }) => (kind === "deleted" ? [] : [path])));
  for (const { language, name, by, outside } of report?.modules ?? []) {
    // In Python, the importer of a package counts as the importer of everything that the package imports.
    if (language !== "node" || by === null || !outside || !FOR_TESTS.test(name)) continue;
    if (!written.has(by) || isOfTests(by) || inputs.has(by)) continue;
    if ((await before.read(by))?.toString().includes(name.replace("node:", ""))) continue;
    return `${by} loads ${name}, by which source can reach into its own tests.`;
  }
  return null;
}
