import { basename } from "node:path";
import { parseScript, type SyntaxNode, walkNodes } from "../../source/parse-script.ts";
import { applySplices, type Splice } from "../../source/splice.ts";
import type { Expectation, TestExpectations, TestFile, TestSpan } from "./expectation.ts";
import { nameOtherwise, sayAside } from "./script/aside.ts";
import { changeLiteral } from "./script/literals.ts";
import { child, children, type EditedScript, isCall, nameOf, textOf } from "./script/nodes.ts";
import { writeOtherwise } from "./script/same.ts";
import { findGroups, findHelperGroups } from "./script/statements.ts";
import { findTest, listTests } from "./script/tests.ts";

const ASSERTION_MODULE = /^(node:)?assert(\/strict)?$|^(chai|ava|tap|tape|uvu\/assert)$/;

const NO_NAMES: Omit<EditedScript, "text"> = {
  modules: new Set(),
  functions: new Set(),
  snapshots: false,
  salt: "",
  isTyped: false,
  further: new Map(),
};

/** What a JavaScript or TypeScript file expects. */
export function findScriptExpectations(
  { path, text }: TestFile,
  files: readonly TestFile[],
  salt: string,
): TestExpectations {
  const program = parseScript(path, text);
  if (!program) return { expectations: [], tests: [] };
  const snapshots = files.some((file) => basename(file.path) === `${basename(path)}.snap`);
  const script = {
    text,
    snapshots,
    salt,
    isTyped: /\.[cm]?tsx?$/.test(path),
    further: new Map(),
    ...importedNames(program, text),
  };
  const tests = listTests(program);
  const asserted = findGroups(script, program);
  const bare = tests.filter(
    ({ start, end }) => !asserted.some((group) => start <= startOf(group) && startOf(group) < end),
  );
  const groups = keepSound(path, text, [...asserted, ...findHelperGroups(script, program, bare)]);
  const expectations = groups
    .toSorted((a, b) => startOf(a) - startOf(b))
    .map((splices) => ({
      test: findTest(tests, startOf(splices)),
      isReached: true,
      splices,
      ...script.further.get(splices),
    }));
  const same = writeOtherwise(script, program);
  const sound = parseScript(path, applySplices(text, same)) ? same : [];
  const within = (test: TestSpan) => sound.filter(({ start, end }) => test.start <= start && end <= test.end);
  const named = nameOtherwise(script, program, tests).map((test) => ({ ...test, same: within(test) }));
  return { expectations, tests: named, same: sound, aside: sayAside(script, program) };
}

function startOf(splices: readonly Splice[]): number {
  return splices[0]?.start ?? 0;
}

/** A file of Jest's or Vitest's snapshots, each of which is made wrong. */
export function findSnapshots({ path, text }: TestFile): Expectation[] {
  const program = parseScript("snapshots.js", text);
  if (!program) return [];
  const script: EditedScript = { ...NO_NAMES, text, snapshots: true };
  const groups = children(program, "body").flatMap((statement) => {
    const value = child(child(statement, "expression"), "right");
    const edits = value?.type === "TemplateLiteral" ? changeLiteral(script, value) : null;
    return edits ? [edits] : [];
  });
  return keepSound(path, text, groups).map((splices) => ({ test: null, isReached: true, splices }));
}

/** The groups of edits that change something, but for those that break the syntax. */
export function keepSound(path: string, text: string, groups: readonly Splice[][]): Splice[][] {
  const isSound = (some: readonly Splice[][]) =>
    parseScript(path.replace(/\.snap$/, ".js"), applySplices(text, some.flat())) !== null;
  const kept = soundGroups(groups, isSound);
  return applySplices(text, kept.flat()) === text ? [] : [...kept];
}

function soundGroups(
  groups: readonly Splice[][],
  isSound: (some: readonly Splice[][]) => boolean,
): readonly Splice[][] {
  if (groups.length === 0 || isSound(groups)) return groups;
  const half = Math.floor(groups.length / 2);
  if (half === 0) return [];
  const kept = [...soundGroups(groups.slice(0, half), isSound), ...soundGroups(groups.slice(half), isSound)];
  return isSound(kept) ? kept : [];
}

/** What the file calls the assertion modules that it imports or requires, and their functions. */
function importedNames(program: SyntaxNode, text: string): Pick<EditedScript, "modules" | "functions"> {
  const modules = new Set<string>();
  const functions = new Set<string>();
  const script: EditedScript = { ...NO_NAMES, text, modules, functions };
  for (const { node } of walkNodes(program)) {
    if (node.type === "ImportDeclaration" && ASSERTION_MODULE.test(String(child(node, "source")?.value))) {
      if (child(node, "source")?.value === "ava") modules.add("ava");
      for (const specifier of children(node, "specifiers")) {
        (specifier.type === "ImportSpecifier" ? functions : modules).add(nameOf(child(specifier, "local")));
      }
    }
    const value = node.type === "VariableDeclarator" ? child(node, "init") : null;
    const required = textOf(script, value).match(/^require\(["']([^"']+)["']\)(?:\.(?:strict|assert))?$/)?.[1];
    const target = child(node, "id");
    if (
      !required ||
      !target ||
      !ASSERTION_MODULE.test(required) ||
      !(isCall(value) || value?.type === "MemberExpression")
    )
      continue;
    if (target.type === "Identifier") modules.add(nameOf(target));
    for (const property of children(target, "properties")) functions.add(nameOf(child(property, "value")));
  }
  return { modules, functions };
}
