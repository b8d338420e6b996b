import { describe } from "vitest";
import { HARD_TESTS, repairDespite } from "./hard-tests.ts";
import { PYTHON, SCRIPT, tryHarm } from "./hostile-candidates.ts";

describe("a candidate that does harm costs one candidate: one that", () => tryHarm(PYTHON, SCRIPT));

repairDespite(HARD_TESTS);
