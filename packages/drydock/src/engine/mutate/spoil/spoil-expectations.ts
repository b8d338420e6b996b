import { spoilPython } from "./spoil-python.ts";

/** Runs a Python program (given as text, `python3 -I`) in the sandbox with `input` on standard input; resolves with its standard output. */
export type RunPython = (program: string, input: string) => Promise<string>;

export interface TestFile {
  path: string;
  text: string;
}

export interface Spoiled {
  path: string;
  content: string;
  /** How many places were changed. */
  edits: number;
}

/** Test files whose expectations are made wrong; files where nothing could be spoiled are left out. */
export async function spoilExpectations(files: readonly TestFile[], runPython: RunPython): Promise<Spoiled[]> {
  return await spoilPython(
    files.filter(({ path }) => path.endsWith(".py")),
    runPython,
  );
}
