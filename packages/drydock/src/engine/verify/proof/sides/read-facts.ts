import type { TestFile } from "../../../mutate/index.ts";
import type { RunPython } from "../../../source/run-python.ts";
import type { FileFacts } from "./facts.ts";
import { PYTHON_FACTS } from "./python-facts.ts";

/** What files do with names, by path; files that can't be parsed are left out. One Python process reads all of Python. */
export async function readFacts(files: readonly TestFile[], runPython: RunPython): Promise<Map<string, FileFacts>> {
  const found = new Map<string, FileFacts>();
  const python = files.filter(({ path }) => path.endsWith(".py"));
  for (const { path, ...facts } of await readPython(python, runPython)) found.set(path, facts);
  const scripts = files.filter(({ path }) => /\.[cm]?[jt]sx?$/.test(path));
  if (scripts.length === 0) return found;
  const { readScriptFacts } = await import("./script-facts.ts");
  for (const { path, text } of scripts) {
    const facts = unlessTooDeep(() => readScriptFacts(path, text));
    if (facts) found.set(path, facts);
  }
  return found;
}

async function readPython(
  files: readonly TestFile[],
  runPython: RunPython,
): Promise<readonly (FileFacts & { path: string })[]> {
  if (files.length === 0) return [];
  try {
    return JSON.parse(await runPython(PYTHON_FACTS, JSON.stringify({ files })));
  } catch (error) {
    // Python was ended before it answered.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Terms are read by recursion: a file that is nested deeper than the stack has nothing to say. */
function unlessTooDeep<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
