import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { type Edit, type EditedFile, OPERATORS, type RunPython } from "../edit.ts";
import { LIST_PROGRAM } from "./list-program.ts";

const Answer = z.array(
  z.array(z.tuple([z.number(), z.number(), z.string(), z.number(), z.enum(OPERATORS)])).nullable(),
);

/** The possible edits of Python files, in the order of the files; null for one that does not parse. One process lists all. */
export async function listPythonEdits(files: readonly EditedFile[], runPython: RunPython): Promise<(Edit[] | null)[]> {
  if (files.length === 0) return [];
  const input = JSON.stringify(files.map(({ text, lines }) => ({ text: text.toWellFormed(), lines })));
  const answer = readAnswer(await runPython(LIST_PROGRAM, input));
  return files.map((_, index) => {
    const found = answer[index];
    return found
      ? found.map(([start, end, replacement, line, operator]) => ({ start, end, replacement, line, operator }))
      : null;
  });
}

function readAnswer(output: string): z.infer<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(output));
  } catch (cause) {
    throw new DrydockError(
      "sandbox.unavailable",
      "The program that lists mutants of Python files gave no answer.",
      "Run `drydock doctor`. If Python works there, mutate fewer files: use --since.",
      { output: output.slice(0, 500) },
      cause,
    );
  }
}
