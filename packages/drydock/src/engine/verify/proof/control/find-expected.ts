import type { ExpectingFile, TestFile } from "../../../mutate/index.ts";
import { runsWhatIsBuilt } from "../program-roles.ts";
import type { InputKind } from "../test-inputs.ts";
import { keepFollowed } from "./followed-recipes.ts";
import { readTexts } from "./read-files.ts";
import { spoilCommand } from "./spoil-command.ts";
import { type ControlOptions, loadSpoilers } from "./try-control.ts";
import type { SpoiltCommand } from "./try-rounds.ts";

/** What the check and its files expect. */
export interface Expected {
  tests: ExpectingFile[];
  /** Sources of test programs that the check compiles and runs. */
  programs: ExpectingFile[];
  /** Files that the check's command runs itself, and recipes that it follows. */
  scripts: ExpectingFile[];
  command: SpoiltCommand | null;
}

/** What can be made wrong of a check: in its tests, in what it runs, and in its command line. */
export async function findExpected(options: ControlOptions): Promise<Expected> {
  const { check, context, inputs, addedTests, observed, runPython, salt } = options;
  const paths = [...inputs].filter(([path, { kind }]) => kind === "tests" || path.endsWith(".snap"));
  const tests = await readTexts(context.tree, [...paths.map(([path]) => path), ...addedTests]);
  const listKind = (wanted: InputKind) => [...inputs].flatMap(([path, { kind }]) => (kind === wanted ? [path] : []));
  const { findExpectations, isMakefile } = await loadSpoilers();
  const recipes = listKind("settings").filter(isMakefile);
  const commands = [...listKind("command"), ...recipes];
  const compiled = observed && runsWhatIsBuilt(observed) ? listKind("program") : [];
  const scripts = (await readTexts(context.tree, [...commands, ...compiled])).map(readAsShell);
  const found = await findExpectations([...tests, ...scripts], { runPython, salt });
  const [isCompiled, isCommand] = [new Set(compiled), new Set(commands)];
  return {
    tests: found.filter(({ path }) => !isCommand.has(path) && !isCompiled.has(path)),
    programs: found.filter(({ path }) => isCompiled.has(path)),
    scripts: found
      .filter(({ path }) => isCommand.has(path))
      .flatMap((file) => (isMakefile(file.path) ? keepFollowed(file, observed) : [file])),
    command: await spoilCommand(check.cmd, runPython),
  };
}

/** A script that is run, without an ending and without a first line that names an interpreter, is run by the shell. */
function readAsShell(file: TestFile): TestFile {
  return /(^|\/)[^./]+$/.test(file.path) && !file.text.startsWith("#!") ? { ...file, language: "shell" } : file;
}
