import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alterEvent } from "../testing/alter-record.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const replay = (id: string, options = {}) => test.dock.runs.replay(id, options);

async function runSteps(codes: readonly string[], options: Parameters<typeof test.dock.sessions.open>[0] = {}) {
  const session = await test.dock.sessions.open(options);
  const runs: string[] = [];
  for (const code of codes) runs.push((await session.exec(code)).runId);
  return { session, runs };
}

describe("a replay of a step", () => {
  it("does again what led to it", async () => {
    const { session, runs } = await runSteps(["x = 1", "x += 1\nopen('a.txt', 'w').write(str(x))", "print(x)\nx"]);
    await session.close();
    const again = await replay(runs[2] ?? "");
    expect(again.divergences).toEqual([]);
    expect(again).toMatchObject({ ok: true, steps: 3 });
    expect((await test.dock.runs.events(again.runId ?? ""))[0]?.data).toMatchObject({ replayOf: runs[2] });
    expect(await replay(again.runId ?? "")).toMatchObject({ ok: true });
    expect(test.dock.sessions.list()).toEqual([]);
  });

  it("follows failed steps, rollbacks and looks", async () => {
    const { session } = await runSteps(["x = 1", "x = 2", "1 / 0"]);
    await session.rollback(1);
    await session.exec("print(x)", { look: true });
    const { runId, result, step } = await session.exec("x");
    await session.close();
    expect([result, step]).toEqual([1, 5]);
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect(again.steps).toBe(6);
  });

  it("follows a fork to the session that it is a copy of, up to the fork", async () => {
    const { session } = await runSteps(["x = ['session']"]);
    const [fork] = await session.fork();
    await session.exec("x.append('later')");
    const { runId, result } = (await fork?.exec("x.append('fork')\nx")) ?? { runId: "", result: null };
    expect(result).toEqual(["session", "fork"]);
    await Promise.all([session.close(), fork?.close()]);
    const again = await replay(runId);
    expect(again.divergences).toEqual([]);
    expect((await test.dock.runs.events(again.runId ?? "")).at(-1)?.data.result).toEqual(["session", "fork"]);
  });

  it("leaves out a step that was cancelled, and counts it, also before a rollback", async () => {
    const { session } = await runSteps(["x = 1"]);
    await session.exec("x = 2\nwhile True: pass", { signal: AbortSignal.timeout(300) });
    const { runId } = await session.exec("def f(): raise ValueError(x)\nf()");
    await session.exec("while True: pass", { signal: AbortSignal.timeout(300) });
    await session.rollback(1);
    const { step } = await session.exec("x = 5");
    await session.exec("x = 6");
    await session.rollback(step);
    const last = await session.exec("print(x)");
    await session.close();
    expect((await replay(runId)).divergences).toEqual([]);
    expect((await replay(last.runId)).divergences).toEqual([]);
  });

  it("works in Node, with a policy of its own, and on a workspace that it leaves alone", async () => {
    const node = await runSteps(["let x = 20", "console.log(x + 1)"], { language: "node" });
    await node.session.close();
    expect(await replay(node.runs[1] ?? "")).toMatchObject({ ok: true });
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const code = ["open('a.txt', 'a').write('1')", "open('a.txt', 'a').write('2')", "print(open('a.txt').read())"];
    const { session, runs } = await runSteps(code, { workspace, policy: { limits: { memoryMb: 256 } } });
    await session.close();
    expect(await replay(runs[2] ?? "")).toMatchObject({ ok: true });
    await test.dock.runs.apply(runs[1] ?? "");
    expect(await replay(runs[2] ?? "")).toMatchObject({ ok: true });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a12");
    writeFileSync(join(workspace, "a.txt"), "other");
    const { divergences } = await replay(runs[2] ?? "");
    expect(divergences[0]).toMatchObject({ step: "workspace", cause: "workspace" });
    expect(divergences.filter(({ follows }) => !follows)).toHaveLength(1);
  });

  it("names the step that was altered, also an earlier one", async () => {
    const { session, runs } = await runSteps(["x = 1", "y = x + 1", "print(y)"]);
    await session.close();
    alterEvent(test.home, runs[0] ?? "", "run.created", "x = 1", "x = 5");
    const { divergences } = await replay(runs[2] ?? "");
    expect(divergences[0]).toMatchObject({ step: `${runs[0]} run.created`, cause: "record" });
    expect(divergences.slice(1)).toMatchObject([{ step: "step 3", what: "stdout", recorded: "2\n", follows: true }]);
  });

  it("of a rollback comes to the same state, and of a refused step is refused", async () => {
    const { session } = await runSteps(["x = 1", "x = 2"]);
    await session.rollback(1);
    const [rollback] = (await test.dock.runs.list({ limit: 1 })).runs;
    await session.close();
    expect(await replay(rollback?.id ?? "")).toMatchObject({ ok: true, steps: 3 });
    const { runId } = await test.dock.exec({ code: "x", session: session.id });
    await expect(replay(runId)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
