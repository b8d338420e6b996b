import { expect, it } from "vitest";
import { beginDraft, findProblems, toPolicy, toRequest } from "./run-draft.ts";

const draft = { ...beginDraft({ goal: " Fix it ", workspace: "/work/calc" }) };

it("sends what was filled in, and nothing that was not", () => {
  expect(findProblems(draft)).toEqual({});
  expect(toRequest(draft)).toEqual({ kind: "goal", goal: "Fix it", workspace: "/work/calc", apply: "never" });
  const full = {
    ...draft,
    ...{
      checks: 'pytest -q\n\n{"type":"file_exists","path":"a"}',
      tokens: "1000",
      minStrength: "60",
      write: "src/**\n",
    },
    ...{
      reviewPlan: true,
      thenRepair: true,
      repairSeconds: "5",
      seconds: "20",
      follow: "run_1",
      apply: "auto" as const,
    },
  };
  expect(toRequest(full)).toEqual({
    ...{ kind: "goal", goal: "Fix it", workspace: "/work/calc", apply: "auto", follow: "run_1", reviewPlan: true },
    ...{ checks: ["pytest -q", '{"type":"file_exists","path":"a"}'], budget: { tokens: 1000 }, thenRepair: true },
    ...{ repair: { seconds: 5 }, minStrength: 0.6 },
    policy: { files: { write: ["src/**"] }, limits: { wallSeconds: 20 } },
  });
});

it("leaves out what only a model could heed, where repair works", () => {
  const repair = { ...draft, worker: "repair" as const, tokens: "5", bestOf: "3", thenRepair: true };
  expect(toRequest(repair)).toEqual({ ...toRequest(draft), model: "repair" });
});

it("says what is wrong, and where", () => {
  const wrong = {
    ...beginDraft({ workspace: "calc" }),
    ...{ worker: "model" as const, bestOf: "1.5", usd: "-1", minStrength: "200", checks: 'ls\n{"type":"x"}' },
  };
  expect(findProblems(wrong)).toMatchObject({
    ...{ goal: { kind: "required" }, workspace: { kind: "path" }, model: { kind: "required" } },
    ...{ bestOf: { kind: "whole" }, usd: { kind: "number" }, minStrength: { kind: "percent" } },
    checks: { kind: "check", line: 2, text: expect.stringContaining("not a check type") },
  });
  expect(toPolicy({ ...draft, seconds: "soon" })).toBeNull();
  expect(findProblems({ ...draft, goal: "", follow: "run_1" })).toEqual({});
});
