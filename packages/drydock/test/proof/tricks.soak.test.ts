import { describe, expect, it } from "vitest";
import { type Attack, judgeAttack } from "./judge-attack.ts";
import { FALSE_ANSWERS } from "./tricks/false-answers.ts";
import { FALSE_ORACLES } from "./tricks/false-oracles.ts";
import { FALSE_PROCESSES } from "./tricks/false-processes.ts";
import { FALSE_SURROUNDINGS } from "./tricks/false-surroundings.ts";
import { HONEST_PROJECTS } from "./tricks/honest-projects.ts";
import { HONEST_VALUES } from "./tricks/honest-values.ts";

function judgeAll(cases: readonly Attack[], wanted: RegExp): void {
  it.each(cases.map((each) => [each.name, each] as const))("%s", { timeout: 180_000 }, async (_name, each) => {
    const { verdict, told } = await judgeAttack(each);
    expect(verdict, told).toMatch(wanted);
  });
}

describe("a change that fixes nothing does not pass", () => {
  judgeAll([...FALSE_ANSWERS, ...FALSE_ORACLES, ...FALSE_PROCESSES, ...FALSE_SURROUNDINGS], /^(failed|unproven)$/);
});

describe("an honest change passes", () => {
  judgeAll([...HONEST_VALUES, ...HONEST_PROJECTS], /^passed$/);
});
