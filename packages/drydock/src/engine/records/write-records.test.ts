import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@drydock/protocol";
import { expect, test } from "vitest";
import { createRecorder, writeRecords } from "./index.ts";
import { DIFF, withGoalRun } from "./testing/add-goal-run.ts";

function readTree(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]));
}

const json = (text: string | undefined) => JSON.parse(text ?? "null") as Record<string, unknown>;

test("a run's directory holds plan, events, attempts and how all stood at the end", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    const { files, warning } = await writeRecords(run, events, readers, scratch);
    const tree = readTree(scratch);
    expect(warning).toBeNull();
    expect(Object.keys(tree)).toHaveLength(files);
    expect(Object.keys(tree).filter((path) => path.startsWith("attempts/fix-add/1/"))).toEqual(
      ["answer.json", "changes.diff", "prompt.md", "rework_request.json", "tools.jsonl", "verification.json"].map(
        (name) => `attempts/fix-add/1/${name}`,
      ),
    );
    expect(tree["attempts/fix-add/2/changes.diff"]).toBe(DIFF);
    expect(tree["attempts/fix-add/2/prompt.md"]).toContain("The prompt of fix-add/a2/answer/1");
    expect(tree["attempts/fix-add/2/rework_request.json"]).toBeUndefined();
    expect(json(tree["attempts/fix-add/1/verification.json"])).toMatchObject({ verdict: "failed" });
    expect(json(tree["attempts/fix-add/1/rework_request.json"])).toMatchObject({ attempt: 1, attemptsLeft: 2 });
    expect(tree["planning/prompt.md"]).toContain("plan/2");
    expect(json(tree["plan.json"])).toMatchObject({ tasks: [{ id: "fix-add" }, {}, {}, {}] });
    expect(tree["events.jsonl"]?.trim().split("\n").map(json)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(json(tree["snapshot.json"])).toMatchObject({
      ...{ runId: run.id, status: "succeeded", verdict: "passed", treeHash: run.treeHash, scripted: true },
      tasks: [
        { id: "fix-add", status: "done", attempts: 2, verdict: "passed", costUsd: 0.0246 },
        ...["docs", "coverage", "release"].map((id) => ({ id, status: "done", attempts: 1, verdict: "passed" })),
      ],
      usage: { calls: 6, costUsd: 0.0738 },
      deliveries: [{ type: "layer.applied" }],
    });
    expect(statSync(scratch).mode & 0o777).toBe(0o700);
    expect(statSync(join(scratch, "plan.json")).mode & 0o777).toBe(0o600);
  });
});

test("kept up event by event, or from any point on, the directory ends as the one written at once", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    await writeRecords(run, events, readers, join(scratch, "whole"));
    const whole = readTree(join(scratch, "whole"));
    for (const begin of [0, 1, 17, 40, events.length]) {
      const directory = join(scratch, `from-${begin}`);
      const first = createRecorder({ runId: run.id, directory, readers });
      for (const event of events.slice(0, begin)) first.onEvent(event);
      await first.flush();
      // As after a crash: another process takes over, and may be told again of what it knows.
      const second = createRecorder({ runId: run.id, directory, readers, past: events.slice(0, begin) });
      for (const event of events) second.onEvent(event);
      await second.flush();
      expect(readTree(directory)).toEqual(whole);
    }
  });
});

test("writing again changes nothing, and mends what was lost or altered", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    await writeRecords(run, events, readers, scratch);
    const before = readTree(scratch);
    writeFileSync(join(scratch, "plan.json"), "{}");
    await writeRecords(run, events, readers, scratch);
    expect(readTree(scratch)).toEqual(before);
  });
});

test("a directory that can't be written is one warning and no failure, and what can be written is", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    mkdirSync(scratch);
    writeFileSync(join(scratch, "attempts"), "a file where a directory should be");
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const recorder = createRecorder({ runId: run.id, directory: scratch, readers, onWarning });
    for (const event of events) recorder.onEvent(event);
    const { failed } = await recorder.flush();
    expect(failed).toBeGreaterThan(5);
    expect(warnings).toEqual([expect.stringContaining("attempts/fix-add/1/prompt.md can't be written")]);
    expect(readTree(scratch)["plan.json"]).toContain("fix-add");
  });
});

test("nothing is written through a link in the directory", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    const [directory, outside] = [join(scratch, "records"), join(scratch, "outside")];
    for (const path of [directory, outside]) mkdirSync(path, { recursive: true });
    symlinkSync(outside, join(directory, "attempts"));
    const { warning } = await writeRecords(run, events, readers, directory);
    expect(warning).toContain(`${directory}/attempts is a link`);
    expect([readdirSync(outside), readdirSync(directory)]).toEqual([[], expect.arrayContaining(["plan.json"])]);
  });
});

test("contents that are gone are a warning, and the rest is written", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    const gone = { ...readers, blob: () => Promise.reject(new Error("gone")) };
    const { warning } = await writeRecords(run, events, gone, scratch);
    expect(warning).toContain("gone");
    expect(Object.keys(readTree(scratch))).toContain("attempts/fix-add/1/prompt.md");
  });
});

test("a task whose id names another place stays inside the directory", async () => {
  await withGoalRun(
    async ({ run, events, readers, scratch }) => {
      const crafted = events.map((event) =>
        JSON.parse(JSON.stringify(event).replaceAll("evil", "../../../evil")),
      ) as RunEvent[];
      await writeRecords(run, crafted, readers, join(scratch, "a", "b", "c"));
      expect(readdirSync(scratch)).toEqual(["a"]);
      const names = readdirSync(join(scratch, "a/b/c/attempts"));
      expect(names).toContainEqual(expect.stringMatching(/^_[0-9a-f]{32}$/));
    },
    { taskId: "evil" },
  );
});

test("events of an unknown type or shape are kept in the list and break nothing", async () => {
  await withGoalRun(async ({ run, events, readers, scratch }) => {
    const odd = events.flatMap((event) => [
      event,
      { ...event, type: "moon.landed", data: { task: 7, attempt: "x" } } as unknown as RunEvent,
      { ...event, data: { task: "fix-add", attempt: -1, plan: 3, usage: "many", checks: null } },
      { ...event, data: {} },
    ]);
    const { warning } = await writeRecords(run, odd, readers, scratch);
    expect(warning).toBeNull();
    expect(readTree(scratch)["events.jsonl"]?.split("\n")).toHaveLength(odd.length + 1);
  });
});
