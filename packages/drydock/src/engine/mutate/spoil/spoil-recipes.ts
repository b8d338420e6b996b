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

/** The line of a recipe to which a place in a Makefile belongs, with the lines that continue it. */
export function recipeAt(text: string, at: number): string {
  const lines = [...text.matchAll(/^(?:[^\n]*\\\n)*[^\n]*$/gm)];
  const found = lines.find(({ index, 0: line }) => index <= at && at <= index + line.length)?.[0] ?? "";
  return found.replace(/^\t[@+\-\s]*/, "");
}
