import { expect, it } from "vitest";
import type { CheckFinding } from "../../check-finding.ts";
import { controlNeedle, listOtherNeedles } from "./other-needles.ts";

const check = (needle: string) => ({ type: "command_contains" as const, cmd: "run", needle });
const judgeBy =
  (output: string) =>
  async (asked: { needle: string }): Promise<CheckFinding> =>
    output.includes(asked.needle)
      ? { verdict: "passed", reason: "", code: "passed", evidence: {} }
      : { verdict: "failed", reason: "", code: "not_found", evidence: {} };

it("draws other texts of the same form", () => {
  const others = listOtherNeedles("total: 15", "salt");
  expect(new Set(others).size).toBe(8);
  for (const each of others) expect(each).toMatch(/^total: \d\d$/);
  expect(others).not.toContain("total: 15");
});

it("draws none where there is no number, or next to nothing else", () => {
  expect(listOtherNeedles("done", "salt")).toEqual([]);
  expect(listOtherNeedles("5", "salt")).toEqual([]);
});

it("fails a check whose output holds every answer, and no other", async () => {
  const every = Array.from({ length: 100 }, (_, index) => `total: ${index}`.padStart(2)).join("\n");
  const all = `${every}\n${Array.from({ length: 10 }, (_, index) => `total: 0${index}`).join("\n")}`;
  const ask = (output: string) => controlNeedle("total: 15", check, judgeBy(output), "salt");
  expect(await ask(all)).toMatchObject({ failed: false, edits: 8 });
  expect(await ask("total: 15\n")).toMatchObject({ failed: true, edits: 1 });
});

it("says nothing where the check did not come to an answer", async () => {
  const judge = async (): Promise<CheckFinding> => ({ verdict: "failed", reason: "", code: "timeout", evidence: {} });
  expect(await controlNeedle("total: 15", check, judge, "salt")).toBeNull();
});
