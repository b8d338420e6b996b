import { expect, it } from "vitest";
import type { Expectation, ExpectingFile } from "../../../mutate/index.ts";
import { isTest, planTestRounds, planWholeRounds, type Round } from "./plan-rounds.ts";

let at = 0;
const expects = (test: string | null, isReached = true): Expectation => ({
  ...{ test, isReached },
  splices: [{ start: at++, end: at, replacement: "x" }],
});
const file = (path: string, ...expectations: Expectation[]): ExpectingFile => ({
  ...{ path, text: "", expectations },
  tests: [],
});
const idOf = (name: string) => `t.py::${name}`;
const describeRounds = (rounds: readonly Round[], names: readonly string[]) =>
  rounds.map((round) => names.map((name) => (round.isSpoilt(idOf(name)) ? "wrong" : "right")).join(" "));

it("gives tests that expect one thing a round to fail and a round to pass, in turns", () => {
  const names = ["a", "b", "c"];
  const rounds = planTestRounds([file("t.py", ...names.map((name) => expects(name)))], names.map(idOf));
  expect(describeRounds(rounds, names)).toEqual(["right wrong right", "wrong right wrong"]);
  expect(rounds.map(({ count }) => count)).toEqual([1, 2]);
});

const chosenIn = (rounds: readonly Round[]) => rounds.map(({ files }) => files.flatMap((each) => each.chosen));

it("makes each expectation wrong alone: the last, the first, a middle one, then all others", () => {
  const own = ["1", "2", "3", "4", "5"].map(() => expects("a"));
  const rounds = planTestRounds([file("t.py", ...own)], [idOf("a")]);
  expect(chosenIn(rounds)).toEqual([[], [own[4]], [own[0]], [own[2]], [own[1]], [own[3]]]);
});

it("makes what a callback expects wrong by itself, and never beside others", () => {
  const [first, alone, last] = [expects("a"), { ...expects("a"), isAlone: true }, expects("a")];
  const files = [file("t.py", first, alone, last)];
  expect(chosenIn(planTestRounds(files, [idOf("a")]))).toEqual([[], [last], [first], [alone]]);
  expect(chosenIn(planWholeRounds(files, { alone: false }))).toEqual([[first, last], [last]]);
});

it("tries a check that takes long in three ways", () => {
  const own = ["1", "2", "3", "4", "5"].map(() => ({ ...expects("a"), near: [expects("a").splices] }));
  const rounds = planTestRounds([file("t.py", ...own)], [idOf("a")], true);
  expect(chosenIn(rounds)).toEqual([[], [own[4]], [own[0]], [own[2]]]);
});

it("tries each value of an expectation, and what is close to it", () => {
  const [plain, other, near] = [expects("a"), expects("a"), expects("a")];
  const own = { ...plain, others: [other.splices], near: [near.splices] };
  const tried = chosenIn(planTestRounds([file("t.py", own)], [idOf("a")])).flat();
  expect(tried.map(({ splices }) => splices)).toEqual([plain.splices, other.splices, near.splices]);
});

it("tries a bounded number of ways, from everywhere in a test", () => {
  const own = Array.from({ length: 100 }, () => ({ ...expects("a"), near: [expects("a").splices] }));
  const tried = chosenIn(planTestRounds([file("t.py", ...own)], [idOf("a")])).flat();
  expect(tried).toHaveLength(12);
  expect(tried.filter(({ splices }) => own.some(({ near }) => near.includes(splices)))).toHaveLength(4);
});

it("passes over what an expected exception keeps from being reached", () => {
  const [raises, dead] = [expects("a"), expects("a", false)];
  const rounds = planTestRounds([file("t.py", raises, dead)], [idOf("a")]);
  expect(rounds.map(({ files }) => files.flatMap((each) => each.chosen))).toEqual([[], [raises]]);
});

it("makes everything wrong at once for suspects that hold nothing of their own", () => {
  const shared = expects(null);
  const rounds = planTestRounds([file("t.py", shared, expects("b"))], [idOf("a")]);
  expect(rounds).toHaveLength(1);
  expect(rounds[0]?.count).toBe(2);
  expect([rounds[0]?.isSpoilt(idOf("a")), rounds[0]?.isUntouched(idOf("a"))]).toEqual([false, false]);
});

it("tries few files alone where that was asked for", () => {
  const files = [file("a.sh", expects(null), expects(null)), file("b.sh", expects(null))];
  expect(planWholeRounds(files, { alone: false }).map(({ count }) => count)).toEqual([3, 2]);
  expect(planWholeRounds(files, { alone: true }).map(({ count }) => count)).toEqual([3, 2, 2, 1, 1, 1, 1]);
  expect(planWholeRounds(files, { alone: true, isSlow: true }).map(({ count }) => count)).toEqual([3, 2, 2, 1]);
});

it.each([
  ["t/a.py::A::test_x", "t/a.py", "A.test_x", true],
  ["t/a.py::B::test_x", "t/a.py", "A.test_x", false],
  ["t/a.py::A.test_x[a[0]]", "t/a.py", "A.test_x", true],
  ["t/a.py::test_x", "t/b.py", "test_x", false],
  ["a.test.js > s > adds #2", "a.test.js", "s > adds", true],
  ["a.test.js > fixes issue #3", "a.test.js", "fixes issue #3", true],
  ["a.test.js > r > adds", "a.test.js", "s > adds", false],
])("%s is the test of %s named %s: %s", (id, path, name, expected) => {
  expect(isTest(id, path, name)).toBe(expected);
});

it("plans for thousands of tests", () => {
  const names = Array.from({ length: 8000 }, (_, index) => `test_${index}`);
  const rounds = planTestRounds([file("t.py", ...names.map((name) => expects(name)))], names.map(idOf));
  expect(rounds.map(({ count }) => count)).toEqual([4000, 4000]);
});
