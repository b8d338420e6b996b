import type { Expectation, Spoiling, TestExpectations, TestFile } from "./expectation.ts";
import { CALLS } from "./python/calls.ts";
import { CONDITIONS } from "./python/conditions.ts";
import { FURTHER_FAULTS } from "./python/further-faults.ts";
import { LITERALS } from "./python/literals.ts";
import { SAME } from "./python/same.ts";
import { STATEMENTS } from "./python/statements.ts";
import { TABLES } from "./python/tables.ts";
import { TEXT } from "./python/text.ts";

const SPOIL_TESTS = `${TEXT}${LITERALS}${FURTHER_FAULTS}${TABLES}${CONDITIONS}${CALLS}${STATEMENTS}${SAME}
edit_files(spoil_tests, write_otherwise, say_aside)
`;

/** What Python files expect, found by one Python process for all of them. */
export async function findPythonExpectations(
  files: readonly TestFile[],
  { runPython, salt = "" }: Spoiling,
): Promise<Map<string, TestExpectations>> {
  if (files.length === 0) return new Map();
  const answer: (Omit<TestExpectations, "expectations"> & { path: string; found: Expectation[] })[] = JSON.parse(
    await runPython(SPOIL_TESTS, JSON.stringify({ files, salt })),
  );
  return new Map(answer.map(({ path, found, ...rest }) => [path, { expectations: found, ...rest }]));
}
