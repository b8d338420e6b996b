import type { Expectation, ExpectingFile } from "../../../mutate/index.ts";
import { isTest } from "./plan-rounds.ts";

export interface Golden {
  /** Data that tests compare results with. */
  paths: string[];
  /** The suspects that do so. */
  suspects: string[];
}

/** Which of the suspects compare a result with which data, by the names of files in their expectations. */
export function findGolden(
  files: readonly ExpectingFile[],
  suspects: readonly string[],
  data: readonly string[],
): Golden {
  const paths = new Set<string>();
  const found = new Set<string>();
  for (const file of files) {
    // Most files name none of the data: nothing else is looked at for them.
    const mentioned = data.filter((path) => file.text.includes(nameOf(path)));
    if (mentioned.length === 0) continue;
    for (const expectation of file.expectations) {
      const { test } = expectation;
      const named = test === null ? [] : mentioned.filter((path) => isComparedWith(file, expectation, path));
      const own = named.length === 0 ? [] : suspects.filter((id) => isTest(id, file.path, test ?? ""));
      if (own.length === 0) continue;
      for (const path of named) paths.add(path);
      for (const id of own) found.add(id);
    }
  }
  return { paths: [...paths], suspects: [...found] };
}

/** `== open("golden/a.txt").read()`, or a name that has such a value in the same test: `want = …`, `with open(…) as file`. */
function isComparedWith({ text, tests }: ExpectingFile, { test, splices }: Expectation, path: string): boolean {
  const name = nameOf(path);
  const start = Math.min(...splices.map((splice) => splice.start));
  const end = Math.max(...splices.map((splice) => splice.end));
  // The expected side is not always known, so the whole line is searched.
  const lineEnd = text.indexOf("\n", end);
  const compared = text.slice(text.lastIndexOf("\n", start) + 1, lineEnd < 0 ? undefined : lineEnd);
  if (compared.includes(name)) return true;
  const span = tests.find((each) => each.name === test && each.start <= start && start < each.end);
  const body = span ? text.slice(span.start, span.end) : "";
  return [...new Set(compared.match(/[A-Za-z_$][\w$]*/g))].some((word) =>
    body.split("\n").some((line) => line.includes(name) && binds(line, word)),
  );
}

function binds(line: string, word: string): boolean {
  const name = word.replaceAll("$", "\\$");
  return new RegExp(`(^|[^\\w$])${name}\\s*=[^=]|\\bas\\s+${name}\\s*[:,)]`).test(line);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
