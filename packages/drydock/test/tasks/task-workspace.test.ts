import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createScripts } from "../testing/scripts.ts";
import { code } from "../testing/task-dock.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock({
  prepare: (home) => {
    mkdirSync(join(home, "..", "data"));
    writeFileSync(join(home, "..", "data", "ages.txt"), "20\n40\n");
    writeFileSync(join(home, "config.yaml"), "tasks:\n  workspace: ../data\n");
  },
});
const READ = code("result = sum(map(int, open('ages.txt')))");
const EMPTY = code("import os\nresult = os.listdir('.')");

it("tasks and workflows see the directory that the owner has set up", async () => {
  const script = createScripts(test.directory);
  expect(await test.dock.executePythonTask("Sum", { model: script([READ]) })).toMatchObject({ ok: true, result: 60 });
  const workflow = await test.dock.executePythonWorkflow(["Sum"], { model: script([READ]) });
  expect(workflow.steps[0]).toMatchObject({ result: 60 });
  const run = await test.dock.runs.get(workflow.runId);
  expect(run.workspace).toBe(join(test.directory, "data"));
});

it("a directory that the call names, a session and a policy without files win over it", async () => {
  const script = createScripts(test.directory);
  const workspace = test.makeWorkspace({ "own.txt": "1" });
  const named = await test.dock.executePythonTask("List", { model: script([EMPTY]), workspace });
  expect(named.result).toEqual(["own.txt"]);
  const session = await test.dock.sessions.open();
  expect((await test.dock.executePythonTask("List", { model: script([EMPTY]), session: session.id })).result).toEqual(
    [],
  );
  await session.close();
  const policy = { files: { access: false } };
  expect((await test.dock.executePythonTask("List", { model: script([EMPTY]), policy })).result).toEqual([]);
});

it("a directory that does not exist is refused with the setting's name", async () => {
  vi.stubEnv("DRYDOCK_TASK_WORKSPACE", join(test.directory, "gone"));
  const script = createScripts(test.directory);
  await expect(test.dock.executePythonTask("Sum", { model: script([READ]) })).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/does not exist.*set by DRYDOCK_TASK_WORKSPACE/),
  });
  vi.unstubAllEnvs();
});
