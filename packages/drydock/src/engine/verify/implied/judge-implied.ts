import type { Check } from "@drydock/protocol";
import { type ChangedPath, listChangedPaths } from "../changed-paths.ts";
import { broken, type CheckFinding } from "../check-finding.ts";
import { diffFile } from "../file-diff.ts";
import type { JudgeContext } from "../judge-context.ts";
import { type JudgedTree, resolveInTree } from "../judged-tree.ts";
import type { Baseline } from "../proof/baseline.ts";
import { areTestsKept, decides, howToAllow, isHarmlessChange } from "../proof/guard-inputs.ts";
import { SCRIPT_ENDINGS } from "../script-endings.ts";
import { type CommandFacts, readCommandFacts } from "./command-words.ts";
import { findShadows } from "./shadows.ts";
import {
  isStartupFile,
  isTestConfiguration,
  isTestDirectory,
  isTestFile,
  isToolDirectory,
  listTestNames,
} from "./test-files.ts";
import type { MayChange } from "./who-may-change.ts";

/** One implied rule that was broken. */
export interface ImpliedFinding {
  path: string;
  finding: CheckFinding;
}

const MAX_FINDINGS = 20;
const NAMED = "is named in a check's command";

/** Where a project's tools are looked for. */
const TOOL_LINKS = [".venv", "venv", "node_modules"];

/**
 * The judged change may not touch its judge: tests, their fixtures and configuration, and each file that a check's
 * command names, must stay as they were, and no added file may take their place, unless the task's scope names it.
 */
export async function judgeImplied(
  checks: readonly Check[],
  mayChange: MayChange,
  { before, untouched, allRecords: records }: Pick<Baseline, "before" | "untouched" | "allRecords">,
  context: JudgeContext,
): Promise<ImpliedFinding[]> {
  const changed = listChangedPaths(before, context.tree).filter(
    // What an earlier task of the same run added is no judge of the run.
    ({ path, kind }) => !mayChange(path, isJudge(path)) && (kind === "added" || untouched.lookup(path) !== undefined),
  );
  if (changed.length === 0) return [];
  const facts = await readCommandFacts(checks, before);
  const added = changed.filter(({ kind }) => kind === "added");
  const shadows = await findShadows(added, facts, before, context);
  const links = listTestLinks(before);
  const found = changed.flatMap((each) => {
    const why =
      each.kind === "added"
        ? (findTakeover(each.path, before, facts, shadows) ?? findLinked(each.path, links.filter(isOfTools)))
        : (findGuarded(each.path, before, facts) ?? findLinked(each.path, links));
    return why === null ? [] : [{ ...each, why }];
  });
  // All of them: else harmless ones could push a harmful one out of the list.
  const kept: typeof found = [];
  for (const each of found) {
    if (each.kind === "changed" && (await isHarmlessChange(each.path, before, context.tree, records))) continue;
    if (each.kind !== "added" && each.why === NAMED && !(await decides(each.path, before, context.tree))) continue;
    if (each.kind === "changed" && each.why === NAMED && (await areTestsKept(each.path, before, context.tree)))
      continue;
    kept.push(each);
  }
  const findings: ImpliedFinding[] = [];
  for (const each of kept.slice(0, MAX_FINDINGS)) {
    findings.push({ path: each.path, finding: await describe(each, kept.length, before, context.tree) });
  }
  return findings;
}

/** Whether the path judges others by its name alone, whichever command names it. */
function isJudge(path: string): boolean {
  return isTestFile(path) || isTestConfiguration(path) || isStartupFile(path);
}

function findGuarded(path: string, before: JudgedTree, { paths }: CommandFacts): string | null {
  if (isTestFile(path)) return "is a test, or a fixture of one";
  if (isTestConfiguration(path)) return "configures how checks run";
  return paths.has(path) && before.lookup(path)?.type === "file" ? NAMED : null;
}

/** Where the names of tests and of their configuration lead to, if they are symlinks. */
function listTestLinks(before: JudgedTree): { link: string; target: string }[] {
  return [...listTestNames(), ...TOOL_LINKS].flatMap((link) => {
    if (before.lookup(link)?.type !== "symlink") return [];
    const found = resolveInTree(before, link);
    return found.kind === "found" && found.path !== "" ? [{ link, target: found.path }] : [];
  });
}

/** Whatever is added below such a link is installed there. */
function isOfTools({ link }: { link: string }): boolean {
  return TOOL_LINKS.includes(link);
}

function findLinked(path: string, links: ReturnType<typeof listTestLinks>): string | null {
  const found = links.find(({ target }) => path === target || path.startsWith(`${target}/`));
  return found ? `is what ${found.link} leads to` : null;
}

/** New tests are welcome; what is executed or read before any test is not. */
function findTakeover(
  path: string,
  before: JudgedTree,
  facts: CommandFacts,
  shadows: ReadonlyMap<string, string>,
): string | null {
  const slash = path.lastIndexOf("/");
  const [directory, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  if (isStartupFile(path)) return "is executed before the tests";
  if (isTestConfiguration(path) && hasTestsBelow(directory, before)) return "configures how checks run";
  if (name === "__init__.py" && directory !== "" && isTestDirectory(directory) && before.lookup(directory)) {
    return "is executed before the tests beside it";
  }
  if (path.split("/").slice(0, -1).includes("__mocks__")) return "takes the place of what tests import";
  const isGuarded = (other: string) =>
    before.lookup(other)?.type === "file" && findGuarded(other, before, facts) !== null;
  const preferred = listPreferredTo(path).find(isGuarded);
  if (preferred !== undefined) return `may be taken in place of ${preferred}`;
  const shadowed = shadows.get(path);
  return shadowed === undefined ? null : `takes the place of the Python module ${shadowed}`;
}

/** Settings of a part that had no tests decide over nothing that there was. */
function hasTestsBelow(directory: string, before: JudgedTree): boolean {
  if (isTestConfigurationPlace(directory)) return true;
  return before.paths(directory === "" ? undefined : directory).some((path) => isTestFile(path));
}

/** Programs and packages that checks find there take the place of others, or run by themselves. */
function isTestConfigurationPlace(directory: string): boolean {
  return directory.split("/").some(isToolDirectory);
}

/** Beside `a.py`, a package `a` or a compiled `a` comes first; to `./a`, several endings and a directory may answer. */
function listPreferredTo(path: string): string[] {
  const compiled = /^(.*?[^/.]+)(\.[^/]*)?\.so$/.exec(path);
  const inPackage = /^(.+)\/__init__\.[^/]+$/.exec(path);
  const stem = inPackage?.[1] ?? compiled?.[1];
  if (stem !== undefined) return [`${stem}.py`];
  const [, script, ending = ""] = /^(.+)\.(\w+)$/.exec(path) ?? [];
  if (script === undefined || !SCRIPT_ENDINGS.includes(ending)) return [];
  const index = /^(.+)\/index$/.exec(script)?.[1];
  const stems = [script, `${script}/index`, ...(index === undefined ? [] : [index])];
  return stems.flatMap((each) => SCRIPT_ENDINGS.map((other) => `${each}.${other}`)).filter((other) => other !== path);
}

async function describe(
  { path, kind, why }: ChangedPath & { why: string },
  count: number,
  before: JudgedTree,
  tree: JudgedTree,
): Promise<CheckFinding> {
  const code = kind === "added" ? "takes_over" : "changed";
  const reason = `${path} was ${kind}, and ${why}. ${howToAllow(path)}`;
  return broken(code, reason, { path, kind, diff: await diffFile(before, tree, path), ...(count > 1 && { count }) });
}
