import type { Expectation, TestFile } from "./expectation.ts";
import { findShellExpectations } from "./spoil-shell.ts";

export function isMakefile(path: string): boolean {
  return /(^|\/)(GNUmakefile|[Mm]akefile|[^/]+\.(mk|mak|make))$/.test(path);
}

/** What the recipes of a Makefile expect: they are lines for the shell. One whose failure is ignored expects nothing. */
export function findRecipeExpectations({ path, text }: TestFile): Expectation[] {
  let isRecipe = false;
  let isContinued = false;
  const shell = text.split("\n").map((line) => {
    const isLine = isContinued ? isRecipe : /^\t[@+\s]*[^-@+\s]/.test(line);
    isRecipe = isLine;
    isContinued = line.endsWith("\\");
    // What is left out is replaced by as much white space: places in the text stay what they are.
    return isLine ? line.replace(/^\t[@+\s]*/, (start) => " ".repeat(start.length)) : " ".repeat(line.length);
  });
  return findShellExpectations({ path, text: shell.join("\n") });
}
