import type { ChangedPath } from "../../changed-paths.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { readTexts } from "../control/read-files.ts";
import { isCode } from "../judged-subject.ts";
import type { CheckRecord } from "../records/base-record.ts";
import type { TestInput } from "../test-inputs.ts";

export interface NamedDataOptions {
  changed: readonly ChangedPath[];
  records: readonly CheckRecord[];
  inputs: ReadonlyMap<string, TestInput>;
  /** Data that is the work itself. */
  released: ReadonlySet<string>;
  /** The untouched tree. */
  tree: JudgedTree;
}

/**
 * Changed data that a test file, or code that configures the tests, names and that only the sandbox saw being read: a test runner reads some files for its
 * tests (`toMatchFileSnapshot("../pages/hello.html")`) without telling for whom. What source reads is source's.
 */
export async function findNamedData(options: NamedDataOptions): Promise<[path: string, input: TestInput][]> {
  const { changed, records, inputs, released, tree } = options;
  const read = new Set(
    records.flatMap(({ observed }) => observed?.paths.flatMap(([, how, path]) => (how === "read" ? [path] : [])) ?? []),
  );
  const reportedFiles = new Set(records.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const candidates = changed.flatMap(({ path, kind }) => {
    const isOpen = kind !== "added" && !isCode(path) && !inputs.has(path) && !released.has(path);
    return isOpen && read.has(path) && !reportedFiles.has(path) ? [path] : [];
  });
  if (candidates.length === 0) return [];
  const naming = [...inputs].flatMap(([path, { kind }]) =>
    kind === "tests" || isSettingsCode(path, kind) ? [path] : [],
  );
  const texts = await readTexts(tree, naming);
  return candidates.flatMap((path): [string, TestInput][] => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const by = texts.find(({ text }) => text.includes(name));
    return by ? [[path, { kind: "data", why: `is named by ${by.path}, and read for it` }]] : [];
  });
}

function isSettingsCode(path: string, kind: TestInput["kind"]): boolean {
  return kind === "settings" && isCode(path);
}
