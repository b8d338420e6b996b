import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { fileOf } from "../testing/alter-record.ts";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";
import { TWELVE_ANSWERS, TWELVE_TASKS, writeTwelve } from "./twelve-tasks.ts";

async function runTwelve(): Promise<{ t: GoalDock; runId: string }> {
  const t = await openGoalDock({});
  writeTwelve(t.workspace);
  const { runId, verdict } = await t.run(TWELVE_ANSWERS, { plan: TWELVE_TASKS });
  expect(verdict).toBe("passed");
  return { t, runId };
}

describe("a replay", () => {
  it("comes out the same, without a model, after the result was delivered", async () => {
    const { t, runId } = await runTwelve();
    const replay = await t.dock.runs.replay(runId);
    expect(replay.divergences).toEqual([]);
    expect(replay).toMatchObject({ ok: true, verdict: "passed", replayOf: runId });
    expect((await t.dock.runs.events(String(replay.runId))).some(({ type }) => type === "layer.applied")).toBe(false);
  });

  it("of an altered answer diverges at that step", async () => {
    const { t, runId } = await runTwelve();
    const answered = t.events.find((event) => event.type === "model.answered" && event.data.key === "h/a1/answer/1");
    const file = fileOf(t.home, String(answered?.data.answer));
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify({ altered: true }));
    const replay = await t.dock.runs.replay(runId);
    expect(replay.ok).toBe(false);
    expect(replay.divergences[0]).toMatchObject({ step: "h/a1/answer/1", what: "the recorded answer" });
    // What was not reached says so, and why; nothing is left to be guessed from a null.
    const missing = replay.divergences.filter(
      ({ what, recorded }) => what === "the step" && recorded !== "The record has no such step.",
    );
    const { reason } = await t.dock.runs.findings(String(replay.runId));
    expect(missing.length).toBeGreaterThan(0);
    for (const { replayed } of missing) expect(replayed).toBe(`The replay ended before this step: ${reason}`);
  });

  it("of an altered event diverges at that step", async () => {
    const { t, runId } = await runTwelve();
    const verified = t.events.find((event) => event.type === "task.verified" && event.data.key === "c/a1");
    using database = new DatabaseSync(join(t.home, "ledger.db"), { timeout: 5000 });
    const data = JSON.stringify(verified?.data).replace('"passed"', '"failed"');
    database.prepare("update events set data = ? where run_id = ? and seq = ?").run(data, runId, verified?.seq ?? 0);
    const replay = await t.dock.runs.replay(runId);
    expect(replay.divergences[0]).toMatchObject({ step: "c/a1", cause: "record" });
    expect(replay.divergences).toContainEqual(
      expect.objectContaining({ step: "c/a1", what: "verdict", recorded: "failed", follows: true }),
    );
  });

  it("of a workspace that others changed since says so", async () => {
    const { t, runId } = await runTwelve();
    writeFiles(t.workspace, { "new.txt": "somebody else's\n" });
    const replay = await t.dock.runs.replay(runId);
    expect(replay).toMatchObject({ ok: false });
    expect(replay.divergences[0]).toMatchObject({ step: "workspace", cause: "workspace" });
    expect(replay.divergences.slice(1).every(({ follows }) => follows)).toBe(true);
    rmSync(join(t.workspace, "new.txt"));
    expect((await t.dock.runs.replay(runId)).ok).toBe(true);
  });

  it("of a failed run fails in the same way", async () => {
    const t = await openGoalDock({ "a.txt": "a" });
    const plan = { goal: "x", tasks: [{ id: "t", attempts: 2, checks: [{ type: "file_exists", path: "b.txt" }] }] };
    const { runId } = await t.run([{ text: "done", repeat: 2 }], { plan });
    expect(await t.dock.runs.replay(runId)).toMatchObject({ ok: true, verdict: "failed" });
  });

  it("can go on with a model from a task of an old run", async () => {
    const { t, runId } = await runTwelve();
    t.events.length = 0;
    const other = { when: { task: "k" }, writes: [{ path: "out/k.txt", content: "k stands on h i\nand is new\n" }] };
    const again = TWELVE_ANSWERS.filter((answer) => JSON.stringify(answer).includes('"task":"l"'));
    const result = await t.dock.goals.runFrom(runId, "k", {
      model: t.writeScript([other, ...again]),
      onEvent: (event) => t.events.push(event),
    });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(readFileSync(join(t.workspace, "out/k.txt"), "utf8")).toContain("and is new");
    expect(t.events.filter(({ type }) => type === "model.asked").map(({ data }) => data.task)).toEqual(["k", "l"]);
    expect((await t.dock.runs.replay(result.runId)).divergences).toEqual([]);
    await expect(t.dock.goals.runFrom(runId, "nobody")).rejects.toMatchObject({ code: "input.invalid" });
  });
});
