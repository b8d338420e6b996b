import { it } from "vitest";
import { BUGS, mendBugs } from "./bugs.ts";

it("of all small bugs, each is mended, every wrong answer is refused, and nothing changes before the proof", () =>
  mendBugs(BUGS));
