import type { CommandRun } from "../../check-finding.ts";
import { isLinterConfiguration, isStartupFile, isTestConfiguration, isTestFile } from "../../implied/test-files.ts";
import type { WitnessedModule } from "../../witness/witness-report.ts";
import { readTexts } from "../control/read-files.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { isCode } from "../judged-subject.ts";
import type { CheckRecord } from "../records/base-record.ts";

/** What programs look for by themselves, or what scripts include where it is there. */
const SETTINGS =
  /(^|\/)(\.[^/]+|[^/]*\.(conf|cfg|ini|rc|mk|env|properties)|[^/]*rc|[^/]*[._-](config|conf|local|override)\.[^./]+)$/;
/** Those of a package or project belong to the work, wherever it lies. */
const OF_A_PACKAGE =
  /(^|\/)(package\.json|pyproject\.toml|setup\.cfg|tsconfig(\.[\w-]+)?\.json|deno\.jsonc?|Cargo\.toml|go\.mod)$/;
const OPTIONAL_IMPORT = /^([ \t]*)try:[ \t]*\n(?:\1[ \t]+[^\n]*\n)*?\1[ \t]+(?:import|from)[ \t]+([\w.]+)/gm;

/**
 * Added files that the judging side reads if they are there, and did without on the untouched tree: settings, optional
 * modules of the tests, lists of what to leave out. The tests that there were must pass without them, too.
 */
export async function listBroughtAlong(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  { baseline, context, mayChange }: Pick<ChangeOptions, "baseline" | "context" | "mayChange">,
): Promise<string[]> {
  const open = baseline.changed.filter(({ path, kind }) => kind === "added" && !mayChange(path, true));
  if (open.length === 0 || !ran) return [];
  const touched = new Set(baseline.changed.map(({ path }) => path));
  const isJudge = (by: string) => !touched.has(by) && (baseline.inputs.has(by) || isTestFile(by));
  const missed = new Set(records.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const isOptional = await findOptional(records, baseline, isJudge);
  const found: string[] = [];
  for (const { path } of open) {
    const askers = ran.report?.files.filter((file) => file.path === path).map(({ by }) => by) ?? [];
    const isSeen = askers.length > 0 || ran.observed?.paths.some(([, how, each]) => how === "read" && each === path);
    // What source asks for is source, and what was looked for in vain is missing.
    if (!isSeen || missed.has(path) || askers.some((by) => by !== null && !isJudge(by))) continue;
    const isData = !isCode(path) && isTestFile(path) && askers.some((by) => by !== null);
    const names = ran.report?.modules.filter((module) => module.found === path) ?? [];
    if (isData || names.some(isOptional) || (await isSettings(path, baseline, context))) found.push(path);
  }
  return found;
}

/** Whether a file of the tests did without the module on the untouched tree. */
async function findOptional(
  records: readonly CheckRecord[],
  { before, inputs }: ChangeOptions["baseline"],
  isJudge: (path: string) => boolean,
): Promise<(module: WitnessedModule) => boolean> {
  const tried = new Set<string>();
  for (const { name, by, found } of records.flatMap(({ report }) => report?.modules ?? [])) {
    if (found !== null || by === null || !isJudge(by)) continue;
    const text = (await before.read(by))?.toString() ?? "";
    const isTried = [...text.matchAll(OPTIONAL_IMPORT)].some(([, , module = ""]) => module.split(".")[0] === name);
    if (isTried) tried.add(`${by}\0${name}`);
  }
  const hasRun = records.every(({ report }) => (report?.tests.length ?? 0) > 0);
  const isSetting = (by: string) => isJudge(by) && (isStartupFile(by) || inputs.get(by)?.kind === "settings");
  return ({ name, by }) => by !== null && ((hasRun && isSetting(by)) || tried.has(`${by}\0${name.split(".")[0]}`));
}

async function isSettings(
  path: string,
  { before, inputs, changed }: ChangeOptions["baseline"],
  { tree }: ChangeOptions["context"],
): Promise<boolean> {
  if (OF_A_PACKAGE.test(path)) return false;
  if (isTestConfiguration(path) || isLinterConfiguration(path)) return true;
  if (!SETTINGS.test(path)) return false;
  // Shells and compiled programs do not report the reader: a file that only the work names is its own.
  const name = path.slice(path.lastIndexOf("/") + 1);
  const names = async (from: typeof tree, paths: readonly string[]) =>
    (await readTexts(from, paths)).some(({ text }) => text.includes(name));
  const written = changed.flatMap((each) => (each.kind === "deleted" || inputs.has(each.path) ? [] : [each.path]));
  return !(await names(tree, written)) || names(before, [...inputs.keys()]);
}
