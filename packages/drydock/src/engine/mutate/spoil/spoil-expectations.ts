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
  /** The names of the tests in which something can be changed. */
  tests?: string[];
}

/** All expectations, or the last one of each test. */
export type Picked = "all" | "last";

const DOCUMENT = /\.(rst|txt|md)$/i;
const SHELL = /\.(sh|bash|bats)$/i;

/** Test files whose expectations are made wrong; files where nothing could be spoiled are left out. */
export async function spoilExpectations(
  files: readonly TestFile[],
  runPython: RunPython,
  pick: Picked = "all",
): Promise<Spoiled[]> {
  const python = files.filter(
    ({ path, text }) => path.endsWith(".py") || (DOCUMENT.test(path) && text.includes(">>> ")),
  );
  const others = files.flatMap((file) => spoilOther(file, files, pick) ?? []);
  return [...(await spoilPython(python, runPython, pick)), ...others];
}

function spoilOther(file: TestFile, files: readonly TestFile[], pick: Picked): Spoiled | null {
  try {
    if (isScript(file.path)) return spoilScript(file, files, pick);
    if (file.path.endsWith(".snap")) return pick === "all" ? spoilSnapshots(file) : null;
    return SHELL.test(file.path) ? spoilShell(file) : null;
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
