import { FALSE_KINDS } from "./false-changes.ts";
import { HONEST_KINDS } from "./honest-changes.ts";
import { judgeCases } from "./judge-cases.ts";

/** Of each kind the plainest row, each of them a whole goal: the others are variants, which `npm run soak` tries as well. */
const FALSE_ROWS = 1;
const HONEST_ROWS = 1;

judgeCases(
  FALSE_KINDS.flatMap((rows) => rows.slice(0, FALSE_ROWS)),
  HONEST_KINDS.flatMap((rows) => rows.slice(0, HONEST_ROWS)),
);
