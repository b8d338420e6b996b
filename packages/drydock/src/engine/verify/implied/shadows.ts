import type { ChangedPath } from "../changed-paths.ts";
import { type JudgeContext, runOnTree } from "../judge-context.ts";
import type { JudgedTree } from "../judged-tree.ts";
import type { CommandFacts } from "./command-words.ts";
import { isTestFile } from "./test-files.ts";

/** What runs tests, and what that is made of. */
const TEST_TOOLS =
  "pytest _pytest py pluggy iniconfig packaging exceptiongroup coverage hypothesis nose tox nox mock".split(" ");
/** Python's own tests have this name; no check of a project uses it. */
const HARMLESS = new Set(["test"]);
const SECONDS = 30;

const FIND_TAKEN = `
import importlib.util, json, sys
request = json.loads(sys.stdin.buffer.read())
installed = [name for name in request["tools"] if importlib.util.find_spec(name)]
print(json.dumps([name for name in request["names"] if name in sys.stdlib_module_names or name in installed]))
`;

/** Added Python modules that stand in the way of one that Python has, or that a check runs: by path, with the name. */
export async function findShadows(
  added: readonly ChangedPath[],
  facts: CommandFacts,
  before: JudgedTree,
  context: JudgeContext,
): Promise<Map<string, string>> {
  const shadows = new Map<string, string>();
  if (!facts.runsPython) return shadows;
  const searched = new Map<string, boolean>();
  const isSearched = (directory: string) => {
    const known = searched.get(directory) ?? looksInto(directory, facts, before);
    searched.set(directory, known);
    return known;
  };
  const named = added.flatMap(({ path }) => {
    const name = readModuleName(path, before, isSearched);
    return name === null || HARMLESS.has(name) ? [] : [{ path, name }];
  });
  if (named.length === 0) return shadows;
  const taken = await askPython([...new Set(named.map(({ name }) => name))], facts, context);
  for (const { path, name } of named) if (taken.has(name)) shadows.set(path, name);
  return shadows;
}

/** The module that a path gives a name to, in a directory that Python looks into; null where it gives none. */
function readModuleName(path: string, before: JudgedTree, isSearched: (directory: string) => boolean): string | null {
  const parts = path.split("/");
  for (let depth = 0; depth < parts.length; depth++) {
    const directory = parts.slice(0, depth).join("/");
    if (!isSearched(directory)) continue;
    const part = parts[depth] ?? "";
    const isLast = depth === parts.length - 1;
    const name = isLast ? /^(\w+)(\.[\w-]+)*\.(py|pyc|so)$/.exec(part)?.[1] : part;
    // A package that was there before shadows nothing that it did not shadow then.
    const isNew = isLast || before.lookup(parts.slice(0, depth + 1).join("/")) === undefined;
    if (name !== undefined && isNew) return name;
  }
  return null;
}

/** Python looks in the working directory, beside a program that it runs, and beside tests that pytest collects. */
function looksInto(directory: string, facts: CommandFacts, before: JudgedTree): boolean {
  if (directory === "" || facts.directories.has(directory)) return true;
  if (before.lookup(directory)?.type !== "directory") return false;
  return before
    .paths(directory)
    .some(
      (path) => dirnameOf(path) === directory && /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path) && isTestFile(path),
    );
}

function dirnameOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

async function askPython(names: string[], { modules }: CommandFacts, context: JudgeContext): Promise<Set<string>> {
  const tools = [...new Set([...TEST_TOOLS, ...modules])].filter((name) => /^\w+$/.test(name));
  const result = await runOnTree(context, {
    command: ["python3", "-I", "-c", FIND_TAKEN],
    trusted: true,
    stdin: JSON.stringify({ names, tools }),
    timeoutSeconds: SECONDS,
    network: [],
  });
  try {
    return new Set(JSON.parse(result.stdout) as string[]);
  } catch {
    // Unknown: each of them may be found first.
    return new Set(names);
  }
}
