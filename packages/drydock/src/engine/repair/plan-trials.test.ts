import { expect, it } from "vitest";
import { planTrials } from "./plan-trials.ts";
import type { RepairSurvey } from "./workshop.ts";

const survey = (tests: RepairSurvey["tests"]): RepairSurvey => ({
  ...{ tests, untried: 0, errors: 0, lines: [], imported: [], places: [], calls: [], modules: [] },
});
const failing = (name: string, seconds: number | null) => ({ name, isPassing: false, seconds });
const passing = (name: string, seconds: number) => ({ name, isPassing: true, seconds });

it("leaves slow tests to the run that confirms, and runs those that never end after the quick ones", () => {
  const tests = [failing("endless", null), failing("slow", 6), failing("quick", 0.01), passing("fine", 0.01)];
  expect(planTrials(survey([...tests, passing("long", 9)]))).toMatchObject({
    ...{ failing: ["quick", "endless"], first: 1, passing: ["fine"] },
  });
});

it("runs slow tests where no other fails, and gives them the time that they take", () => {
  const plan = planTrials(survey([failing("endless", null), failing("slow", 6)]));
  expect(plan).toMatchObject({ failing: ["slow", "endless"], first: 2 });
  expect(plan.wallSeconds).toBeGreaterThan(12);
});
