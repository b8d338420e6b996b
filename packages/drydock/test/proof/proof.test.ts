import { FALSE_KINDS } from "./false-changes.ts";
import { HONEST_KINDS } from "./honest-changes.ts";
import { judgeCases } from "./judge-cases.ts";

/** Of each kind the first rows: the others are variants, which `npm run soak` tries as well. */
const ROWS = 3;

judgeCases(
  FALSE_KINDS.flatMap((rows) => rows.slice(0, ROWS)),
  HONEST_KINDS.flatMap((rows) => rows.slice(0, ROWS)),
);
