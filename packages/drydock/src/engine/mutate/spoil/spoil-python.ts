import { CALLS } from "./python/calls.ts";
import { CONDITIONS } from "./python/conditions.ts";
import { LITERALS } from "./python/literals.ts";
import { STATEMENTS } from "./python/statements.ts";
import { TEXT } from "./python/text.ts";
import type { Picked, RunPython, Spoiled, TestFile } from "./spoil-expectations.ts";

const SPOIL_TESTS = `${TEXT}${LITERALS}${CONDITIONS}${CALLS}${STATEMENTS}
edit_files(spoil_tests)
`;

/** Python files whose expectations are made wrong, by one Python process for all of them. */
export async function spoilPython(files: readonly TestFile[], runPython: RunPython, pick: Picked): Promise<Spoiled[]> {
  if (files.length === 0) return [];
  return JSON.parse(await runPython(SPOIL_TESTS, JSON.stringify({ files, pick })));
}
