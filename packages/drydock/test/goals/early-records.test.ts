import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startProviderServer } from "../../src/models/testing/provider-server.ts";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const FILES = {
  "add.py": "def add(a, b):\n    return a - b\n",
  "test_add.py": "from add import add\n\ndef test_add():\n    assert add(2, 3) == 5\n",
};
const FIX = { path: "add.py", old: "a - b", new: "a + b" };
const PYTEST = { type: "command", cmd: "python3 -m pytest -q" };
const ENDLESS = { type: "command", cmd: "python3 -c 'import time; time.sleep(250)'" };
const task = (id: string, checks: object[], extra: object = {}) => ({
  id,
  checks,
  scope: ["**"],
  attempts: 1,
  ...extra,
});

function listRecords({ home }: GoalDock): string[] {
  const directory = join(home, "cache", "records");
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".json")) : [];
}

/** A model behind a wire, so that it can take its time. */
async function openSlowModel(files: Record<string, string>) {
  const server = await startProviderServer();
  onTestFinished(() => server.close());
  const t = await openGoalDock(files);
  const models = { providers: { local: { baseUrl: server.baseUrl, api: "openai-compatible" } }, retries: 0 };
  writeFileSync(join(t.home, "config.yaml"), JSON.stringify({ models }));
  return { server, t, model: "local/some-model" };
}

it("a model that answers only when the record is there gets it, and whoever judges does not take it again", async () => {
  const { server, t, model } = await openSlowModel(FILES);
  const edit = { toolCalls: [{ name: "edit", input: JSON.stringify(FIX) }] };
  server.answer(async () => {
    if (server.requests.length > 1) return { text: "Done." };
    while (listRecords(t).length === 0) await delay(20);
    return edit;
  });
  const phases: string[] = [];
  const { verdict } = await t.run([], {
    model,
    plan: { goal: "mend add", tasks: [task("fix", [PYTEST])] },
    onProgress: (progress) => progress.kind === "phase" && phases.push(progress.phase),
  });
  expect(verdict).toBe("passed");
  expect(phases[0]).toBe("result");
  expect(phases).not.toContain("untouched");
  const kept = listRecords(t).map((name) => JSON.parse(readFileSync(join(t.home, "cache", "records", name), "utf8")));
  // Of the untouched tree there is one, and one of the second run there, which confirms the failure.
  expect(kept.map(({ passed, takenAt }) => [passed, takenAt !== undefined]).sort()).toEqual([
    [false, false],
    [false, true],
  ]);
  expect(new Set(kept.map(({ treeHash }) => treeHash)).size).toBe(1);
});

it("a run that is cancelled while a record is taken does not wait for it", async () => {
  const { server, t, model } = await openSlowModel(FILES);
  server.answer(() => ({ hang: true }));
  const result = await t.run([], {
    model,
    plan: { goal: "mend add", tasks: [task("fix", [ENDLESS])] },
    onEvent: ({ type, runId }) => {
      if (type === "model.asked") void delay(500).then(() => t.dock.goals.cancel(runId));
    },
  });
  expect(result).toMatchObject({ status: "cancelled", error: { code: "run.cancelled" } });
  expect(listRecords(t)).toEqual([]);
});

it("a task that fails without a verdict on a change does not wait for records", async () => {
  const t = await openGoalDock(FILES);
  const later = task("later", [ENDLESS], { dependsOn: ["first"] });
  const plan = { goal: "x", tasks: [task("first", [{ type: "file_exists", path: "new.txt" }]), later] };
  const result = await t.run([{ text: "no" }], { plan });
  expect(result).toMatchObject({ verdict: "failed", error: null, tasks: { first: "failed", later: "cancelled" } });
  expect(listRecords(t)).toEqual([]);
});
