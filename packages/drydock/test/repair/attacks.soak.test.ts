import { describe } from "vitest";
import { PYTHON, SCRIPT, tryHarm } from "./hostile-candidates.ts";

describe("a candidate that does harm costs one candidate: one that", () => tryHarm(PYTHON, SCRIPT));
