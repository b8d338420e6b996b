import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const workspace = import.meta.dirname;

// Programs in JavaScript have no compiler that finds them. An option that is ignored would change what a run may do.
it.each([
  ["goals.run", "modle", "model", { goal: "x", workspace, modle: "repair" }],
  ["goals.plan", "polici", "policy", { goal: "x", workspace, polici: {} }],
  ["goals.resume", "aply", "apply", { aply: "never" }],
  ["tasks.run", "reviewPlans", "reviewPlan", { workspace, reviewPlans: true }],
  ["sessions.open", "workspce", "workspace", { workspce: workspace }],
  ["session.exec", "polici", "policy", { polici: {} }],
  ["verify", "chekcs", "checks", { workspace, chekcs: [] }],
  ["executePythonTask", "contxt", "context", { contxt: {} }],
  ["executePythonWorkflow", "stopOnErrors", "stopOnError", { stopOnErrors: false }],
  ["ask", "maxTurn", "maxTurns", { maxTurn: 1 }],
])("%s refuses the option %s, and says what is meant", async (name, option, meant, given) => {
  const { dock } = test;
  const calls: Record<string, (options: never) => Promise<unknown>> = {
    "goals.run": (options) => dock.goals.run(options),
    "goals.plan": (options) => dock.goals.plan(options),
    "goals.resume": (options) => dock.goals.resume("run_none", options),
    async "tasks.run"(options) {
      await dock.tasks.add(workspace, { id: `${Date.now()}`, checks: [{ type: "file_exists", path: "a" }] });
      return dock.tasks.run(options);
    },
    "sessions.open": (options) => dock.sessions.open(options),
    async "session.exec"(options) {
      const session = await dock.sessions.open();
      return session.exec("1", options).finally(() => session.close());
    },
    verify: (options) => dock.verify(options),
    executePythonTask: (options) => dock.executePythonTask("x", options),
    executePythonWorkflow: (options) => dock.executePythonWorkflow(["x"], options),
    ask: (options) => dock.ask("x", options),
  };
  await expect(calls[name]?.(given as never)).rejects.toMatchObject({
    code: "input.invalid",
    message: `There is no option ${option}.`,
    hint: expect.stringContaining(`Did you mean ${meant}?`),
  });
});

it("session.exec takes text for code, and nothing that only can become some", async () => {
  const session = await test.dock.sessions.open();
  for (const code of [1, null, { toString: () => "1" }])
    await expect(session.exec(code as never)).rejects.toMatchObject({ code: "input.invalid" });
  await session.close();
});
