import { basename } from "node:path";
import { parseScript, type SyntaxNode, walkNodes } from "../parse-script.ts";
import { applySplices, type Splice } from "../splice.ts";
import { changeLiteral } from "./script/literals.ts";
import { child, children, isCall, nameOf, type Script, textOf } from "./script/nodes.ts";
import { pickLast } from "./script/pick-last.ts";
import { findExpectations } from "./script/statements.ts";
import type { Picked, Spoiled, TestFile } from "./spoil-expectations.ts";

const ASSERTION_MODULE = /^(node:)?assert(\/strict)?$|^(chai|ava|tap|tape|uvu\/assert)$/;

/** A JavaScript or TypeScript file whose expectations are made wrong; null where there is nothing to spoil. */
export function spoilScript(
  { path, text }: TestFile,
  files: readonly TestFile[],
  pick: Picked = "all",
): Spoiled | null {
  const program = parseScript(path, text);
  if (!program) return null;
  const snapshots = files.some((file) => basename(file.path) === `${basename(path)}.snap`);
  const script = { text, snapshots, ...importedNames(program, text) };
  const groups = findExpectations(script, program);
  const { last, names } = pickLast(groups, program);
  const spoilt = applyGroups(path, text, pick === "all" ? groups : last);
  return spoilt && { ...spoilt, tests: names };
}

/** A file of Jest's or Vitest's snapshots, each of which is made wrong. */
export function spoilSnapshots({ path, text }: TestFile): Spoiled | null {
  const program = parseScript("snapshots.js", text);
  if (!program) return null;
  const script: Script = { text, snapshots: true, modules: new Set(), functions: new Set() };
  const groups = children(program, "body").flatMap((statement) => {
    const value = child(child(statement, "expression"), "right");
    const edits = value?.type === "TemplateLiteral" ? changeLiteral(script, value) : null;
    return edits ? [edits] : [];
  });
  return applyGroups(path, text, groups);
}

/** The text with these groups of edits, but for those that break its syntax. */
export function applyGroups(path: string, text: string, groups: readonly Splice[][]): Spoiled | null {
  const isSound = (some: readonly Splice[][]) =>
    parseScript(path.replace(/\.snap$/, ".js"), applySplices(text, some.flat())) !== null;
  const kept = soundGroups(groups, isSound);
  const content = applySplices(text, kept.flat());
  return content === text ? null : { path, content, edits: kept.length };
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
function importedNames(program: SyntaxNode, text: string): Pick<Script, "modules" | "functions"> {
  const modules = new Set<string>();
  const functions = new Set<string>();
  const script = { text, snapshots: false, modules, functions };
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
