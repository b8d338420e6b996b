import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import type { RunPython } from "../../source/run-python.ts";
import { type Edit, type EditedFile, OPERATORS, type Operator } from "../edit.ts";
import { LIST_PROGRAM } from "./list-program.ts";

const Answer = z.array(
  z.array(z.tuple([z.number(), z.number(), z.string(), z.number(), z.enum(OPERATORS)])).nullable(),
);

/** Of one process: what it prints must stay below the policy's limit on output. */
const MAX_CHARS = 256 * 1024;

/** The possible edits of Python files, in the order of the files; null for one that does not parse. A process lists many. */
export async function listPythonEdits(files: readonly EditedFile[], runPython: RunPython): Promise<(Edit[] | null)[]> {
  const listed: (Edit[] | null)[] = [];
  while (listed.length < files.length) {
    const part = takePart(files.slice(listed.length));
    const input = JSON.stringify(part.map(({ text, lines }) => ({ text: text.toWellFormed(), lines })));
    const answer = readAnswer(await runPython(LIST_PROGRAM, input));
    listed.push(...part.map((_, index) => answer[index]?.map(toEdit) ?? null));
  }
  return listed;
}

function takePart(files: readonly EditedFile[]): EditedFile[] {
  let chars = 0;
  const end = files.findIndex(({ text }, index) => {
    chars += text.length;
    return index > 0 && chars > MAX_CHARS;
  });
  return files.slice(0, end < 0 ? files.length : end);
}

function toEdit([start, end, replacement, line, operator]: [number, number, string, number, Operator]): Edit {
  return { start, end, replacement, line, operator };
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
