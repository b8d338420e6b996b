import { describe, expect, it } from "vitest";
import { BROKEN, CHECKS, FIXED, FIXES, readTree, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const place = useGoalPlace();

async function listTasks(workspace: string) {
  const { stdout } = await runCli("task", "list", "--workspace", workspace, "--json");
  const tasks = JSON.parse(stdout) as { id: string; status: string }[];
  return Object.fromEntries(tasks.map(({ id, status }) => [id, status]));
}

describe("drydock task", () => {
  it("adds tasks by options and by a file, and lists them for their workspace only", async () => {
    const [workspace, other] = [await place.workspace(), await place.workspace()];
    const check = JSON.stringify(CHECKS[1]);
    const here = ["--workspace", workspace];
    const added = await runCli(
      "task",
      "add",
      ...here,
      "--id",
      "a",
      "--title",
      "One",
      "--scope",
      "a/**",
      "--check",
      check,
    );
    expect(added).toEqual({ status: 0, stdout: "a\n", stderr: "" });
    const file = await place.write("task.yaml", `id: b\ndependsOn: [a]\nchecks: [${check}]\n`);
    expect((await runJson("task", "add", ...here, "--file", file)).value).toMatchObject({ id: "b", status: "todo" });
    expect(await listTasks(workspace)).toEqual({ a: "todo", b: "todo" });
    expect(await listTasks(other)).toEqual({});
    expect((await runCli("task", "list", "--all")).stdout).toMatch(/ID +STATUS.*WORKSPACE +TITLE\na +todo .*One\n/);
    expect((await runCli("task", "cancel", "a", ...here)).status).toBe(0);
    expect(await listTasks(workspace)).toEqual({ a: "cancelled", b: "todo" });
    expect(await runJson("task", "run", ...here)).toMatchObject({
      status: 2,
      value: { error: { message: "Task b depends on a, which is cancelled." } },
    });
  });

  it("runs what waits as one run, and calls a task done only once that passed", async () => {
    const workspace = await place.workspace();
    const add = (task: object) =>
      place.write("one.json", task).then((file) => runCli("task", "add", "--workspace", workspace, "--file", file));
    await add({ ...TASK, attempts: 1 });
    await add({ id: "note", scope: ["note.txt"], attempts: 1, checks: [{ type: "file_exists", path: "note.txt" }] });
    const fixes = { ...FIXES, when: { task: "fix" } };
    const claims = { when: { task: "note" }, text: "I wrote it." };
    const failed = await runJson("task", "list", "--workspace", workspace);
    expect(failed.value).toHaveLength(2);
    const first = await runCli("task", "run", ...(await place.work(workspace, [fixes, claims])));
    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining("plan (backlog): 2 tasks: fix, note") });
    expect(await listTasks(workspace)).toEqual({ fix: "todo", note: "failed" });
    expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });

    const writes = { when: { task: "note" }, writes: [{ path: "note.txt", content: "n" }] };
    const work = await place.work(workspace, [fixes, writes]);
    expect((await runCli("task", "run", "fix", "note", ...work)).status).toBe(0);
    expect(await listTasks(workspace)).toEqual({ fix: "done", note: "done" });
    expect(await readTree(workspace)).toEqual({ "calc.py": FIXED, "note.txt": "n" });
    expect((await runJson("task", "run", ...work)).status).toBe(2);
    expect((await runJson("task", "cancel", "fix", "--workspace", workspace)).status).toBe(2);
  });

  it.each([
    ["no id", ["--check", "true"], /no id/],
    [
      "a check that is no JSON",
      ["--id", "x", "--check", "{"],
      /--check can't be read: it starts with \{ but is not valid JSON/,
    ],
    ["no check", ["--id", "x"], /checks/],
    ["an unknown check", ["--id", "x", "--check", '{"type":"magic"}'], /"magic" is not a check type/],
    ["a file and options", ["--id", "x", "--file", "y"], /not by both/],
    ["a file that is not there", ["--file", "/nowhere.yaml"], /There is no file/],
  ])("refuses a task with %s", async (_name, words, message) => {
    const workspace = await place.workspace();
    const { status, value } = await runJson("task", "add", "--workspace", workspace, ...words);
    expect({ status, value }).toMatchObject({
      status: 2,
      value: { error: { code: "input.invalid", message: expect.stringMatching(message) } },
    });
  });
});
