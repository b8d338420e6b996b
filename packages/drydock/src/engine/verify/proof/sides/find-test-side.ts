import type { TestFile } from "../../../mutate/index.ts";
import type { RunPython } from "../../../source/run-python.ts";
import type { ChangedPath } from "../../changed-paths.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { MAX_FILES, readTexts } from "../control/read-files.ts";
import { holdsExpectations } from "../holds-expectations.ts";
import { isCode } from "../judged-subject.ts";
import { looksLikeCheck } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";
import type { TestInput } from "../test-inputs.ts";
import { assertsForOthers } from "./asserts-for-others.ts";
import { DATA_MARK, type FileFacts } from "./facts.ts";
import { judgeSides, type Side } from "./judge-sides.ts";
import { readFacts } from "./read-facts.ts";
import { resolveImport } from "./resolve-import.ts";

export interface TestSideOptions {
  changed: readonly ChangedPath[];
  /** Of trees that the judged work has not touched, and for what they do not show, of the judged one. */
  records: readonly CheckRecord[];
  inputs: ReadonlyMap<string, TestInput>;
  /** The untouched tree. */
  tree: JudgedTree;
  /** The judged one, where records of it are among the others: it has modules that the untouched one lacks. */
  judged?: JudgedTree;
  runPython: RunPython;
}

const READABLE = /\.(py|[cm]?[jt]sx?)$/;
const MAX_IMPORTERS = 3000;

/**
 * Changed files that no name and no asker tells from source, and that stand on the side that judges: tests only compare
 * results with them, go through them as cases, or hand them results to assert. Nothing is parsed unless such a file may be
 * among the changed ones.
 */
export async function findTestSide(options: TestSideOptions): Promise<Map<string, TestInput>> {
  const { changed, inputs, tree } = options;
  const readersByFile = listFileReaders(options);
  const existing = changed.filter(({ path, kind }) => kind !== "added" && !inputs.has(path)).map(({ path }) => path);
  const isJudge = (path: string) => ["tests", "command"].includes(inputs.get(path)?.kind ?? "");
  // Loading does not count: a module that an earlier test file has loaded is not loaded again.
  const subjects = listSubjects(options, isJudge);
  const looksAtMore = (path: string) => subjects.size > (subjects.has(path) ? 1 : 0);
  const candidates = existing.filter((path) => mayBeTestSide(path, readersByFile, isJudge, looksAtMore));
  if (candidates.length === 0) return new Map();
  const judges = await readJudges(options, isJudge, listFamily(candidates, readersByFile, isJudge));
  const sides = await readSides(options, readersByFile, judges);
  const found = new Map<string, TestInput>();
  // What is loaded or read by what stands on this side alone stands there, too.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [path, askers] of readersByFile) {
      if (inputs.has(path) || found.has(path)) continue;
      const why = whyTestSide(path, askers, { sides, isJudge: (by) => judges.has(by), testSide: found });
      if (why !== null) found.set(path, { kind: isCode(path) ? "tests" : "data", why });
    }
  }
  const guarded = [...found].filter(([path]) => candidates.includes(path));
  const kept = await Promise.all(
    guarded.map(async ([path]) => !(await isImportedBySource(path, tree, (by) => isJudge(by) || found.has(by)))),
  );
  return new Map(guarded.filter((_, index) => kept[index]));
}

/** The readers of each file, without the file itself. */
type Readers = ReadonlyMap<string, ReadonlySet<string | null>>;

function listFileReaders({ records }: TestSideOptions): Readers {
  const readersByFile = new Map<string, Set<string | null>>();
  for (const { path, how, by } of records.flatMap(({ report }) => report?.files ?? [])) {
    if (by === path || how === "run") continue;
    readersByFile.set(path, (readersByFile.get(path) ?? new Set()).add(by));
  }
  return readersByFile;
}

/** What files that judge load, run or read, and what does not judge. */
function listSubjects({ records, inputs }: TestSideOptions, isJudge: (path: string) => boolean): Set<string> {
  const files = records.flatMap(({ report }) => report?.files ?? []);
  const isSubject = (path: string) => !inputs.has(path) && !path.endsWith("__init__.py");
  return new Set(files.filter(({ path, by }) => by !== null && isJudge(by) && isSubject(path)).map(({ path }) => path));
}

/**
 * Decided by the readers alone: only judging files read it, and files that only they load; and they read something else
 * as well.
 */
function mayBeTestSide(
  path: string,
  readersByFile: Readers,
  isJudge: (path: string) => boolean,
  looksAtMore: (path: string) => boolean,
  depth = 0,
): boolean {
  const askers = [...(readersByFile.get(path) ?? [])].filter((by) => by !== null);
  if (askers.length === 0 || depth > 8 || (isCode(path) && !READABLE.test(path))) return false;
  return askers.every((by) => {
    if (isJudge(by)) return looksAtMore(path);
    return mayBeTestSide(by, readersByFile, isJudge, looksAtMore, depth + 1);
  });
}

/** The names by which files may be imported or read: of the candidates, and of what stands between them and the tests. */
function listFamily(
  candidates: readonly string[],
  readersByFile: Readers,
  isJudge: (path: string) => boolean,
): string[] {
  const family = new Set(candidates);
  for (const path of family)
    for (const by of readersByFile.get(path) ?? []) if (by !== null && !isJudge(by)) family.add(by);
  // The path of a data file may be computed at run time: its readers are known from the record.
  const readers = [...family].flatMap((path) => (isCode(path) ? [] : [...(readersByFile.get(path) ?? [])]));
  return [...[...family].map(stemOf), ...(readers.some((by) => by !== null && isJudge(by)) ? [""] : [])];
}

function stemOf(path: string): string {
  return path.replace(/(\/(__init__|index))?\.\w+$/, "").replace(/^.*\//, "");
}

interface Judge {
  facts: FileFacts;
  onlyFirm: boolean;
}

async function readJudges(
  { inputs, tree, runPython }: TestSideOptions,
  isJudge: (path: string) => boolean,
  family: readonly string[],
): Promise<Map<string, Judge>> {
  const paths = [...inputs.keys()].filter((path) => isJudge(path) && READABLE.test(path));
  const texts: TestFile[] = [];
  for (let start = 0; start < paths.length; start += MAX_FILES) {
    const some = await readTexts(tree, paths.slice(start, start + MAX_FILES));
    texts.push(
      ...some.filter(
        ({ path, text }) =>
          family.some((each) => text.includes(each)) &&
          (inputs.get(path)?.kind === "tests" || holdsExpectations(path, text)),
      ),
    );
  }
  const facts = await readFacts(texts, runPython);
  const isTest = (path: string) => inputs.get(path)?.kind === "tests" || looksLikeCheck(path);
  return new Map([...facts].map(([path, each]) => [path, { facts: each, onlyFirm: !isTest(path) }]));
}

/** Sides by module and judge. A module that is handed results and asserts nothing is tried out. */
type Sides = Map<string, Map<string, Set<Side>>>;

async function readSides(
  { records, tree, judged = tree }: TestSideOptions,
  readersByFile: Readers,
  judges: ReadonlyMap<string, Judge>,
): Promise<Sides> {
  const reports = records.flatMap(({ report }) => report ?? []);
  const isFile = (path: string) => (tree.lookup(path) ?? judged.lookup(path))?.type === "file";
  const sides: Sides = new Map();
  for (const [by, { facts, onlyFirm }] of judges) {
    const resolve = (imported: FileFacts["imports"][number]) => resolveImport(imported, { by, reports, isFile });
    const imported = new Set(facts.imports.map(resolve));
    // A file that it read and does not import was read by a program that it started.
    const runsTree = reports.some(({ files }) =>
      files.some(({ path, how, by: asker }) => asker === by && path !== by && how !== "open" && !imported.has(path)),
    );
    for (const [module, found] of judgeSides({ facts, resolve, runsTree, onlyFirm })) {
      const paths = module.startsWith(DATA_MARK)
        ? listData(module.slice(DATA_MARK.length), by, readersByFile)
        : [module];
      for (const path of paths) {
        const own = sides.get(path) ?? new Map<string, Set<Side>>();
        sides.set(path, own.set(by, new Set([...(own.get(by) ?? []), ...found])));
      }
    }
  }
  await settleAsserters(sides, tree);
  return sides;
}

/** The files that a judge may have read by a path in its text; "" may be any. */
function listData(named: string, by: string, readersByFile: Readers): string[] {
  const end = named.replace(/^(\.\.?\/)+/, "");
  return [...readersByFile].filter(([path, askers]) => askers.has(by) && path.endsWith(end)).map(([path]) => path);
}

async function settleAsserters(sides: Sides, tree: JudgedTree): Promise<void> {
  for (const [path, own] of sides) {
    const handed = [...own.values()].filter((found) => found.has("asserter"));
    if (handed.length === 0) continue;
    const text = (await tree.read(path))?.toString() ?? "";
    if (!assertsForOthers(text)) for (const found of handed) found.add("actual");
  }
}

interface Known {
  sides: Sides;
  isJudge: (path: string) => boolean;
  testSide: ReadonlyMap<string, TestInput>;
}

function whyTestSide(path: string, askers: ReadonlySet<string | null>, known: Known): string | null {
  const { sides, isJudge, testSide: found } = known;
  const files = [...askers].filter((by) => by !== null);
  if (files.length === 0 || !files.every((by) => isJudge(by) || found.has(by))) return null;
  const own = sides.get(path) ?? new Map<string, Set<Side>>();
  if ([...own.values()].some((each) => each.has("actual"))) return null;
  for (const [by, each] of own) {
    if (each.has("expected")) return `is what ${by} compares results with`;
    if (each.has("asserter") || each.has("supports")) return `asserts for ${by}`;
    if (each.has("cases")) return `holds cases of ${by}`;
  }
  const asker = files.find((by) => found.has(by));
  return asker === undefined ? null : `is ${isCode(path) ? "loaded" : "read"} by ${asker}, which the tests judge by`;
}

/**
 * Python tells of a module's first import only: whether source uses it as well is read from the tree. A line that looks
 * like an import is enough, so that in doubt it is source.
 */
async function isImportedBySource(
  path: string,
  tree: JudgedTree,
  isKnown: (path: string) => boolean,
): Promise<boolean> {
  if (!isCode(path)) return false;
  const ending = /\.py$/.test(path) ? /\.py$/ : /\.[cm]?[jt]sx?$/;
  const escaped = stemOf(path).replace(/[^\w]/g, "\\$&");
  const imports = new RegExp(`\\b(import|from|require)\\b[^\\n]*(?<![\\w-])${escaped}(?![\\w-])`);
  const others = tree.paths().filter((each) => each !== path && ending.test(each) && !isKnown(each));
  if (others.length > MAX_IMPORTERS) return true;
  for (const each of others) {
    if (/(^|\/)(node_modules|site-packages)\//.test(each)) continue;
    if (imports.test((await tree.read(each))?.toString() ?? "")) return true;
  }
  return false;
}
