import { isScript } from "../source/parse-script.ts";
import type { RunPython } from "../source/run-python.ts";
import type { Splice } from "../source/splice.ts";
import { describeSplice } from "./describe-splice.ts";
import type { Edit, EditedFile, Operator } from "./edit.ts";
import { listPythonEdits } from "./python/list-python-edits.ts";
import { sampleMutants } from "./sample-mutants.ts";
import { listScriptEdits } from "./script/list-script-edits.ts";

/** A file with one small fault in it. */
export interface Mutant {
  path: string;
  line: number;
  operator: Operator;
  splice: Splice;
  /** A short unified diff of the one place. */
  diff: string;
}

export interface ListMutantsOptions {
  seed: number;
  /** At most so many are returned. */
  limit: number;
}

/** Whether files of this name can be mutated. */
export function isMutable(path: string): boolean {
  return isPython(path) || isScript(path);
}

/**
 * The mutants of the files: all of them, or a sample of `limit` that is the same for the same seed. `found` is how many
 * there are. A file that does not parse has none.
 */
export async function listMutants(
  files: readonly EditedFile[],
  runPython: RunPython,
  { seed, limit }: ListMutantsOptions,
): Promise<{ found: number; mutants: Mutant[] }> {
  const python = files.filter(({ path }) => isPython(path));
  const pythonEdits = await listPythonEdits(python, runPython);
  const listed = files.map((file) => {
    const edits = isPython(file.path)
      ? pythonEdits[python.indexOf(file)]
      : isScript(file.path)
        ? listScriptEdits(file)
        : null;
    return { file, edits: edits ?? [] };
  });
  const found = listed.reduce((sum, { edits }) => sum + edits.length, 0);
  const sample = sampleMutants(
    listed.map(({ edits }) => edits),
    seed,
    limit,
  );
  const mutants = listed.flatMap(({ file }, index) => (sample[index] ?? []).map((edit) => toMutant(file, edit)));
  return { found, mutants };
}

function toMutant({ path, text }: EditedFile, { start, end, replacement, line, operator }: Edit): Mutant {
  const splice = { start, end, replacement };
  return { path, line, operator, splice, diff: describeSplice(path, text, splice) };
}

function isPython(path: string): boolean {
  return path.endsWith(".py");
}
