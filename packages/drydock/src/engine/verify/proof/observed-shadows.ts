import { joinPath } from "../join-path.ts";
import { SCRIPT_ENDINGS } from "../script-endings.ts";
import type { CheckRecord } from "./records/base-record.ts";
import type { TestInput } from "./test-inputs.ts";

/** An added file that takes the place of a file that the check opened on the untouched tree. */
export interface ObservedShadow {
  path: string;
  why: string;
}

interface Trees {
  isGone: (path: string) => boolean;
  existed: (path: string) => boolean;
}

type Module = NonNullable<CheckRecord["report"]>["modules"][number];

const PYTHON_FILE = /^(.+?)(\.[\w-]+)*\.(py|pyc|so)$/;
const ANSWERING_ENDINGS = ["", ...SCRIPT_ENDINGS.map((ending) => `.${ending}`)];

/**
 * Resolved from records of untouched trees alone: nothing of the judged work runs for it, so nothing of it can hide. What
 * code of the tree itself looked for and did not find may be added: that is how a missing module comes to be.
 */
export function findObservedShadows(
  added: readonly string[],
  records: readonly CheckRecord[],
  inputs: ReadonlyMap<string, TestInput>,
  trees: Trees,
): ObservedShadow[] {
  const found = new Map<string, string>();
  for (const { report, observed } of records) {
    const modules = report?.modules ?? [];
    const python = groupByName(modules.filter(({ language }) => language === "python"));
    const words = observed?.programs.flatMap(({ arguments: list }) => list) ?? [];
    const isNamedInCommand = (name: string) => words.some((word) => word === name || word.startsWith(`${name}.`));
    const node = modules.filter(({ language, name }) => language === "node" && name.startsWith("."));
    for (const path of added) {
      const why =
        findPythonShadow(path, report?.searchPath ?? [], python, inputs, { ...trees, isNamedInCommand }) ??
        findScriptShadow(path, node, inputs) ??
        findCommandShadow(path, observed);
      if (why !== null && !found.has(path)) found.set(path, why);
    }
  }
  return [...found].map(([path, why]) => ({ path, why }));
}

function groupByName(modules: readonly Module[]): Map<string, Module[]> {
  const groups = new Map<string, Module[]>();
  for (const module of modules) groups.set(module.name, [...(groups.get(module.name) ?? []), module]);
  return groups;
}

function findPythonShadow(
  path: string,
  searchPath: readonly string[],
  modules: ReadonlyMap<string, Module[]>,
  inputs: ReadonlyMap<string, TestInput>,
  { isGone, existed, isNamedInCommand }: Trees & { isNamedInCommand: (name: string) => boolean },
): string | null {
  for (const [order, directory] of searchPath.entries()) {
    for (const name of listModuleNames(path, directory, existed)) {
      for (const { by, found, outside } of modules.get(name) ?? []) {
        if (found === path) continue;
        if (outside) return `takes the place of the Python module ${name}, which lies outside of the workspace`;
        // What the command itself names is still to be written.
        if (found === null && by === null && !isNamedInCommand(name)) {
          return `is found where the test runner or a library looks for ${name}`;
        }
        // A module that becomes a package gives its place to it. One that is found later does not matter to others.
        if (found === null || isGone(found)) continue;
        const isLater = searchPath.slice(0, order).some((other) => isBelow(found, other, name));
        if (inputs.has(found) || !isLater) return `may be taken in place of ${found}`;
      }
    }
  }
  return null;
}

function isBelow(path: string, directory: string, name: string): boolean {
  const place = [...(directory === "" ? [] : [directory]), ...name.split(".")].join("/");
  return path === `${place}.py` || path.startsWith(`${place}/`);
}

/** The names by which a file is found from a directory of the search path: its own, and those of its new packages. */
function listModuleNames(path: string, directory: string, existed: (path: string) => boolean): string[] {
  const inside = directory === "" ? path : path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null;
  if (inside === null) return [];
  const parts = inside.split("/");
  const last = PYTHON_FILE.exec(parts.at(-1) ?? "")?.[1];
  if (last === undefined) return [];
  const packages = parts.slice(0, -1);
  // A package that was there is found as before.
  const isNew = (depth: number) =>
    !existed([directory, ...packages.slice(0, depth)].filter((part) => part !== "").join("/"));
  const names = packages.flatMap((_, index) => (isNew(index + 1) ? [packages.slice(0, index + 1).join(".")] : []));
  if (last !== "__init__") names.push([...packages, last].join("."));
  return names;
}

/** A test's import of `./helper` may resolve to `helper`, `helper.js`, `helper/index.js` and others. */
function findScriptShadow(
  path: string,
  modules: readonly Module[],
  inputs: ReadonlyMap<string, TestInput>,
): string | null {
  for (const { name, by, found } of modules) {
    if (by === null || !inputs.has(by) || found === null || found === path) continue;
    const stem = joinPath(by.slice(0, Math.max(0, by.lastIndexOf("/"))), name);
    if (stem === null || !answers(path, stem)) continue;
    if (inputs.has(found)) return `may be taken in place of ${found}, which ${by} asks for`;
  }
  return null;
}

function answers(path: string, stem: string): boolean {
  const bare = stem.replace(/\.[cm]?[jt]sx?$/, "");
  return [stem, bare].some(
    (each) =>
      ANSWERING_ENDINGS.some((ending) => path === `${each}${ending}` || path === `${each}/index${ending}`) ||
      path === `${each}/package.json`,
  );
}

function findCommandShadow(path: string, observed: CheckRecord["observed"]): string | null {
  if (!observed) return null;
  const slash = path.lastIndexOf("/");
  const [directory, name] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
  const isSearched = observed.programs.some(({ searched }) => searched.includes(directory));
  if (!isSearched) return null;
  const names = observed.programs.flatMap(({ program, arguments: [first = ""] }) => [program, first]);
  const isRun = names.some((each) => each.slice(each.lastIndexOf("/") + 1) === name);
  return isRun ? `takes the place of the program ${name}` : null;
}
