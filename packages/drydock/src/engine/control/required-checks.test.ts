import type { Check, CheckResult, RequiredCheck } from "@drydock/protocol";
import { expect, it } from "vitest";
import { joinRequired } from "./required-checks.ts";

const tests: Check = { type: "command", cmd: "pytest -q" };
const exists: Check = { type: "file_exists", path: "a" };
const owner: RequiredCheck = { source: "owner", check: tests };
const sourcesOf = ({ checks, nameSources }: ReturnType<typeof joinRequired>) =>
  nameSources(checks.map((check) => ({ type: check.type }) as CheckResult)).map(({ source }) => source);

it("a check that the plan repeats keeps its place in the plan, and is the person's who requires it", () => {
  const joined = joinRequired([{ ...tests, name: "mine" }, exists], [owner]);
  expect(joined.checks).toEqual([tests, exists]);
  expect(sourcesOf(joined)).toEqual(["owner", undefined]);
});

it("a check is the same in whatever order it is written, as a record is read back with its keys sorted", () => {
  const { checks } = joinRequired([{ cmd: "pytest -q", type: "command" }], [owner]);
  expect(checks).toEqual([tests]);
});

it("the same check with and without `sufficient` is two checks: neither takes the other's place", () => {
  const weaker: RequiredCheck = { source: "workspace", check: { ...tests, sufficient: true } };
  const joined = joinRequired([tests], [owner, weaker]);
  expect(joined.checks).toEqual([tests, weaker.check]);
  expect(sourcesOf(joined)).toEqual(["owner", "workspace"]);
  expect(joinRequired([weaker.check], [owner]).checks).toEqual([weaker.check, tests]);
});

it("rules that nobody wrote down have no source", () => {
  const { nameSources } = joinRequired([], [owner]);
  const results = [{ type: "command" }, { type: "unchanged", implied: true }] as CheckResult[];
  expect(nameSources(results).map(({ source }) => source)).toEqual(["owner", undefined]);
});
