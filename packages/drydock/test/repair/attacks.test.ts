import { describe } from "vitest";
import { HARD_TESTS, repairDespite } from "./hard-tests.ts";
import { PYTHON, SCRIPT, tryHarm } from "./hostile-candidates.ts";

/** Each takes a whole search: the others are tried by `npm run soak`. */
const WORST = /kills everything|as if all were well|makes every test pass|kills the process/;
const worst = (rows: [string, string][]) => rows.filter(([name]) => WORST.test(name)).slice(-3);

describe("a candidate that does harm costs one candidate: one that", () => tryHarm(worst(PYTHON), worst(SCRIPT)));

/** Tests without an end take minutes of both processors: they are tried by `npm run soak`. */
repairDespite(HARD_TESTS.slice(0, 2));
