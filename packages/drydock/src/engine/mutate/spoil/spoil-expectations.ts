import { isScript } from "../parse-script.ts";
import { spoilPython } from "./spoil-python.ts";
import { spoilScript, spoilSnapshots } from "./spoil-script.ts";
import { spoilShell } from "./spoil-shell.ts";

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

const DOCUMENT = /\.(rst|txt|md)$/i;
const SHELL = /\.(sh|bash|bats)$/i;

/** Test files whose expectations are made wrong; files where nothing could be spoiled are left out. */
export async function spoilExpectations(files: readonly TestFile[], runPython: RunPython): Promise<Spoiled[]> {
  const python = files.filter(
    ({ path, text }) => path.endsWith(".py") || (DOCUMENT.test(path) && text.includes(">>> ")),
  );
  const others = files.flatMap((file) => spoilOther(file, files) ?? []);
  return [...(await spoilPython(python, runPython)), ...others];
}

function spoilOther(file: TestFile, files: readonly TestFile[]): Spoiled | null {
  try {
    if (isScript(file.path)) return spoilScript(file, files);
    if (file.path.endsWith(".snap")) return spoilSnapshots(file);
    return SHELL.test(file.path) ? spoilShell(file) : null;
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
