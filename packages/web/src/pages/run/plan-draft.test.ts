import { Plan } from "@drydock/protocol";
import { expect, it } from "vitest";
import { addTask, changeTask, readTaskDrafts, removeTask, toTaskDrafts } from "./plan-draft.ts";

const plan = Plan.parse({
  goal: "Mend it",
  tasks: [
    { id: "one", checks: [{ type: "command", cmd: "pytest -q" }] },
    { id: "two", dependsOn: ["one"], scope: ["a/**", "b"], checks: [{ type: "file_exists", path: "b" }], attempts: 1 },
  ],
});
const drafts = toTaskDrafts(plan);

it("is the same plan where nothing was changed", () => {
  expect(readTaskDrafts(plan.goal, drafts)).toEqual({ plan, problems: new Map() });
});

it("takes other names, tasks and orders", () => {
  const renamed = changeTask(drafts, 0, { id: "first" });
  expect(readTaskDrafts("", renamed).plan.tasks[1]?.dependsOn).toEqual(["first"]);
  const [left] = removeTask(renamed, 0);
  expect(left).toMatchObject({ id: "two", dependsOn: [] });
  const added = changeTask(addTask(drafts), 2, { checks: "ls", dependsOn: ["two"], scope: " " });
  const { plan: longer, problems } = readTaskDrafts("", added);
  expect(longer.tasks[2]).toMatchObject({ id: "task-3", scope: ["**"], checks: [{ type: "command", cmd: "ls" }] });
  expect(problems.size).toBe(0);
});

it("says what is wrong with which task", () => {
  let wrong = changeTask(drafts, 0, { dependsOn: ["two"], checks: "\n{}", attempts: "21" });
  wrong = changeTask(wrong, 1, { id: "no name", checks: " " });
  expect(readTaskDrafts("", wrong).problems).toEqual(
    new Map([
      [
        0,
        {
          dependsOn: { kind: "circle" },
          attempts: { kind: "attempts" },
          checks: { kind: "check", line: 2, text: expect.stringContaining("has no type") },
        },
      ],
      [1, { id: { kind: "name" }, checks: { kind: "noCheck" }, dependsOn: { kind: "circle" } }],
    ]),
  );
  const twice = changeTask(drafts, 1, { id: "one", dependsOn: [] });
  expect(readTaskDrafts("", twice).problems).toEqual(new Map([[1, { id: { kind: "taken" } }]]));
});
