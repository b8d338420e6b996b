import type { ProofCase } from "../case.ts";
import { FALSE_ANSWERS } from "../tricks/false-answers.ts";

const NAMES: Record<string, RegExp> = {
  "an __eq__ that looks at its own kind first": /root\.py returns Root/,
  "NaN against !(a > b) of node:test": /written in another way/,
};

/** Of the answers that say themselves that they are right, or are no value at all, the plainest; the others are tried by the long run. */
export const HOLDS_NO_VALUE: ProofCase[] = FALSE_ANSWERS.flatMap(({ name, files, change = {}, checks = [] }) => {
  const names = NAMES[name];
  return names ? [{ name, files, change, checks, names }] : [];
});
