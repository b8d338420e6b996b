import type { Observed, ObservedProgram } from "../../../../sandbox/index.ts";
import type { ChangedPath } from "../../changed-paths.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { readTexts } from "../control/read-files.ts";
import { isCode } from "../judged-subject.ts";
import { findScript } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";
import type { TestInput } from "../test-inputs.ts";

export interface ArgumentOptions {
  changed: readonly ChangedPath[];
  records: readonly CheckRecord[];
  inputs: ReadonlyMap<string, TestInput>;
  /** The commands of the checks. */
  commands: readonly string[];
  /** The untouched tree. */
  tree: JudgedTree;
  judged: JudgedTree;
}

const MOST_BYTES = 64 * 1024;

/**
 * Changed data whose words became arguments of a program that the check started (`$(cat options.txt)`, `xargs < cases.txt`):
 * it says what the check does, and says less now, or turns it. A further case is welcome. Words that stand in the command or in
 * its scripts have not come from there, and what code of the tree reads is code's.
 */
export async function findToldArguments(options: ArgumentOptions): Promise<[path: string, input: TestInput][]> {
  const { changed, records, inputs, commands, tree, judged } = options;
  const observed = records.flatMap((record) => record.observed ?? []);
  const readByCode = new Set(records.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const isRead = (path: string) =>
    observed.some(({ paths }) => paths.some(([, how, each]) => how === "read" && each === path));
  const candidates = changed.flatMap(({ path, kind }) => {
    const isOpen = kind !== "added" && !isCode(path) && !inputs.has(path) && !readByCode.has(path);
    return isOpen && (tree.lookup(path)?.size ?? 0) <= MOST_BYTES && isRead(path) ? [path] : [];
  });
  if (candidates.length === 0) return [];
  const scripts = [...inputs].flatMap(([path, { kind }]) => (kind === "command" || kind === "settings" ? [path] : []));
  const written = await readTexts(tree, scripts);
  const now = new Map((await readTexts(judged, candidates)).map(({ path, text }) => [path, splitWords(text)]));
  const asksLess = ({ path, text }: { path: string; text: string }) => {
    const [was, is] = [splitWords(text), now.get(path) ?? new Set<string>()];
    return is.size < was.size || [...is].some((word) => !was.has(word) && TURNS.test(word));
  };
  const texts = (await readTexts(tree, candidates)).filter(asksLess);
  return texts.flatMap(({ path, text }): [string, TestInput][] => {
    // The program that gets a word may well know it.
    const isWritten = (word: string, own: string | null) =>
      [...commands, ...written.filter((each) => each.path !== own).map((each) => each.text)].join("\n").includes(word);
    const words = [...splitWords(text)].filter((word) => word.length > 1);
    const isTold = observed.some((each) =>
      listPrograms(each, path).some((program) =>
        program.arguments.slice(1).some((word) => words.includes(word) && !isWritten(word, findScript(program))),
      ),
    );
    return isTold ? [[path, { kind: "settings", why: "tells the check with what to run its programs" }]] : [];
  });
}

/** Options, and what means something to a shell. */
const TURNS = /^-|[|&;`$<>]/;

function splitWords(text: string): Set<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** Those that others started. One that reads the file itself looks for its words there. */
function listPrograms({ programs, paths }: Observed, path: string): ObservedProgram[] {
  const readers = new Set(paths.flatMap(([index, how, each]) => (how === "read" && each === path ? [index] : [])));
  return programs.filter(({ parent }, index) => parent !== null && !readers.has(index));
}
