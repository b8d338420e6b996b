import { isTestFile } from "../../implied/test-files.ts";
import { readTexts } from "../control/read-files.ts";
import { isCode } from "../judged-subject.ts";
import type { FileFacts } from "./facts.ts";
import type { TestSideOptions } from "./find-test-side.ts";
import { readFacts } from "./read-facts.ts";
import { resolveImport } from "./resolve-import.ts";

/** They load what no import names. */
const LOADS_OTHERWISE =
  /\b(importlib|__import__|runpy|import_module|importorskip|subprocess|child_process)\b|(?<![.\w])(exec|eval)\(/;

/**
 * Changed data that tests look at and that is the work itself, since these tests try out nothing else. A runner tells of
 * the first import of a module only: whether a test file tries out source is read from its text, too.
 */
export async function listReleased(options: TestSideOptions): Promise<Set<string>> {
  const { changed, inputs, records } = options;
  const alone = changed
    .filter(({ path, kind }) => kind !== "added" && inputs.get(path)?.isAlone)
    .map(({ path }) => path);
  const files = records.flatMap(({ report }) => report?.files ?? []);
  const released = new Set<string>();
  for (const path of alone) {
    const readers = files.filter((file) => file.path === path).flatMap(({ by }) => (by === null ? [] : [by]));
    if (readers.length > 0 && !(await loadSource(readers, options))) released.add(path);
  }
  return released;
}

/** Whether test files load source, themselves or by what they share with others. In doubt they do. */
async function loadSource(readers: readonly string[], options: TestSideOptions): Promise<boolean> {
  const { inputs, records, tree, judged = tree, runPython } = options;
  const reports = records.flatMap(({ report }) => report ?? []);
  const isFile = (path: string) => (tree.lookup(path) ?? judged.lookup(path))?.type === "file";
  const seen = new Set<string>();
  for (let next = [...new Set(readers)]; next.length > 0; ) {
    const paths = [...new Set(next.flatMap((path) => [path, ...listShared(path)]))].filter(
      (path) => !seen.has(path) && isFile(path),
    );
    for (const path of paths) seen.add(path);
    const texts = await readTexts(tree, paths);
    const facts = await readFacts(texts, runPython);
    if (facts.size < paths.length || texts.some(({ text }) => LOADS_OTHERWISE.test(text))) return true;
    const loaded = [...facts].flatMap(([by, { imports }]: [string, FileFacts]) =>
      imports.flatMap((imported) => resolveImport(imported, { by, reports, isFile }) ?? []),
    );
    const code = loaded.filter(isCode);
    if (code.some((path) => !inputs.has(path) && !isTestFile(path))) return true;
    next = code;
  }
  return false;
}

/** Fixtures come from these without an import. */
function listShared(path: string): string[] {
  if (!path.endsWith(".py")) return [];
  const parts = path.split("/").slice(0, -1);
  return [...parts, ""].map((_, index) => [...parts.slice(0, index), "conftest.py"].join("/"));
}
