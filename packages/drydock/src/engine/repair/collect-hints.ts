import { isTestFile } from "../verify/implied/test-files.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import type { Hints } from "./workshop.ts";

const MAX_FILES = 20;
const MAX_CHARS = 100_000;
const MAX_VALUES = 30;

/** Short strings and numbers that the tests mention, the most frequent first. */
export async function collectHints(tree: JudgedTree): Promise<Hints> {
  const counts = { strings: new Map<string, number>(), numbers: new Map<number, number>() };
  const paths = tree.paths().filter((path) => isTestFile(path) && /\.(py|[cm]?[jt]sx?)$/.test(path));
  for (const path of paths.slice(0, MAX_FILES)) {
    const text = ((await tree.read(path))?.toString() ?? "").slice(0, MAX_CHARS);
    for (const [, , value = ""] of text.matchAll(/(["'])((?:(?!\1)[^\\\n]){1,40})\1/g)) increase(counts.strings, value);
    for (const [value] of text.matchAll(/(?<![\w.])\d{1,9}(\.\d{1,6})?(?![\w.])/g))
      increase(counts.numbers, Number(value));
  }
  return { strings: mostFrequent(counts.strings), numbers: mostFrequent(counts.numbers) };
}

function increase<T>(counts: Map<T, number>, value: T): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function mostFrequent<T>(counts: ReadonlyMap<T, number>): T[] {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_VALUES)
    .map(([value]) => value);
}
