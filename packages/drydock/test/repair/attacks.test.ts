import { describe } from "vitest";
import { HARD_TESTS, repairDespite } from "./hard-tests.ts";
import { PYTHON, SCRIPT, tryHarm } from "./hostile-candidates.ts";

/** Each takes a whole search: the others are tried by `npm run soak`. */
const WORST_PYTHON = /kills everything|says of all others|makes every test pass/;
const WORST_SCRIPT = /kills the process|as if all were well|replaces an assertion/;
const choose = (rows: [string, string][], names: RegExp) => rows.filter(([name]) => names.test(name));

describe("a candidate that does harm costs one candidate: one that", () =>
  tryHarm(choose(PYTHON, WORST_PYTHON), choose(SCRIPT, WORST_SCRIPT)));

/** Tests without an end take minutes of both processors: they are tried by `npm run soak`. */
repairDespite(HARD_TESTS.slice(0, 2));
