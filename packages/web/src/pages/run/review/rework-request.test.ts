import { expect, it } from "vitest";
import { requestRework } from "./rework-request.ts";

const run = { id: "run_1", workspace: "/work/calc" };
const comments = [{ path: "calc.py", line: 2, text: "Use sum()." }];

it("asks for what a person said, under the demands of the first run", () => {
  const check = { type: "command", cmd: "pytest -q" } as const;
  const request = {
    checks: [
      { source: "user", check },
      { source: "owner", check: { type: "file_exists", path: "LICENSE" } },
    ],
    ...{ mayChange: ["tests/**"], minStrength: 0.5, way: "writes", model: ["a/b"] },
  };
  expect(requestRework(run, { request, policy: { of: "an old version" } }, { comments, goal: " " })).toEqual({
    ...{ kind: "goal", workspace: "/work/calc", follow: "run_1", apply: "never", comments, checks: [check] },
    ...{ mayChange: ["tests/**"], minStrength: 0.5, way: "writes" },
  });
});

it("needs nothing but words where the record has nothing", () => {
  expect(requestRework(run, {}, { comments: [], goal: "Shorter, please" })).toEqual({
    ...{ kind: "goal", workspace: "/work/calc", follow: "run_1", apply: "never", goal: "Shorter, please" },
  });
});
