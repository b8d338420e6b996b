import { type CheckResult, GuardCode } from "@drydock/protocol";
import { expect, it } from "vitest";
import { ruleOf } from "./sarif-rules.ts";

const textOf = (result: Partial<CheckResult>) => ruleOf(result as CheckResult).shortDescription.text;

it("has words of its own for each rule that holds for every task", () => {
  for (const code of GuardCode.options) {
    expect(textOf({ type: "unchanged", implied: true, code })).not.toMatch(/^A rule that holds for every task/);
  }
});

it("has words for what it does not know", () => {
  expect(textOf({ implied: true, code: "constructor" })).toBe("A rule that holds for every task: constructor.");
  expect(textOf({ type: "toString" })).toBe("A check of the type toString.");
});
