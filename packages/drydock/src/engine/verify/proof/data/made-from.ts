import { isCode } from "../judged-subject.ts";
import { findScript } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";

export interface MadeFrom {
  /** What was read to make tests. */
  path: string;
  /** The script that makes them; null where that is none of the tree. */
  by: string | null;
}

/**
 * Tests that the check itself makes, before it runs them, expect what they were made from. What a program reads that writes
 * tests and no other code is no work of others: a compiler or bundler writes the source, too.
 */
export function listMadeFrom({ report, observed, wrote }: CheckRecord): MadeFrom[] {
  const holding = new Set([...(report?.tests ?? []), ...(report?.named ?? [])].map(({ file }) => file));
  const made = new Set(wrote.filter((path) => holding.has(path)));
  if (!observed || made.size === 0) return [];
  const { programs, paths } = observed;
  const written = Map.groupBy(
    paths.filter(([, how]) => how === "write"),
    ([index]) => index,
  );
  return paths.flatMap(([index, how, path]): MadeFrom[] => {
    const program = index === null ? undefined : programs[index];
    if (!program || how !== "read" || isCode(path) || wrote.includes(path)) return [];
    const own = written.get(index)?.map(([, , each]) => each) ?? [];
    const makesTests = own.some((each) => made.has(each)) && own.every((each) => made.has(each) || !isCode(each));
    return makesTests ? [{ path, by: findScript(program) }] : [];
  });
}
