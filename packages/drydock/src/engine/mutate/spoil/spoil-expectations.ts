import { isScript } from "../../source/parse-script.ts";
import { applySplices } from "../../source/splice.ts";
import type { Expectation, ExpectingFile, Spoiled, Spoiling, TestExpectations, TestFile } from "./expectation.ts";
import { findPythonExpectations } from "./spoil-python.ts";
import { findRecipeExpectations, isMakefile } from "./spoil-recipes.ts";
import { findScriptExpectations, findSnapshots } from "./spoil-script.ts";
import { findShellExpectations, isShell, saySameShell } from "./spoil-shell.ts";
import { findTokenExpectations } from "./spoil-tokens.ts";

const DOCUMENT = /\.(rst|txt|md)$/i;

/** What test files expect; files in which nothing can be found are left out. */
export async function findExpectations(files: readonly TestFile[], spoiling: Spoiling): Promise<ExpectingFile[]> {
  const python = files.filter(
    ({ path, text }) => path.endsWith(".py") || (DOCUMENT.test(path) && text.includes(">>> ")),
  );
  const found = await findPythonExpectations(python, spoiling);
  return files.flatMap((file) => {
    const own = found.get(file.path) ?? findOthers(file, files, spoiling);
    return own.expectations.length > 0 ? [{ ...file, ...own }] : [];
  });
}

function findOthers(file: TestFile, files: readonly TestFile[], { salt = "" }: Spoiling): TestExpectations {
  try {
    if (isScript(file.path)) return findScriptExpectations(file, files, salt);
    if (file.path.endsWith(".snap")) return { expectations: findSnapshots(file), tests: [] };
    if (isMakefile(file.path)) return { expectations: findRecipeExpectations(file), tests: [] };
    if (isShell(file)) return { expectations: findShellExpectations(file), tests: [], same: saySameShell(file) };
    return { expectations: findTokenExpectations(file, salt), tests: [] };
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return { expectations: [], tests: [] };
    throw error;
  }
}

/** A file with some of its expectations made wrong. */
export function spoilFile({ path, text }: TestFile, expectations: readonly Expectation[]): Spoiled {
  const content = applySplices(
    text,
    expectations.flatMap(({ splices }) => splices),
  );
  return { path, content, edits: expectations.length };
}

/** Test files with all their expectations made wrong. */
export async function spoilExpectations(files: readonly TestFile[], spoiling: Spoiling): Promise<Spoiled[]> {
  return (await findExpectations(files, spoiling)).map((file) =>
    spoilFile(
      file,
      file.expectations.filter(({ isAlone }) => !isAlone),
    ),
  );
}
