import { agent, createDock, type Dock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();
/** Another process would have a dock of its own on the same home. */
let other: Dock;
beforeAll(async () => {
  other = await createDock({ home: tasks.dock.home, warm: 0 });
});
afterAll(() => other.close());

const WAIT = code("print('up', flush=True)\nimport time\ntime.sleep(60)");
/** Cancels, from elsewhere, the run that the first event is of. */
function cancelWith(): { onEvent: (event: { runId: string }) => void } {
  let isAsked = false;
  return {
    onEvent({ runId }) {
      if (!isAsked) void other.runs.cancel(runId);
      isAsked = true;
    },
  };
}

describe("a run that is cancelled from elsewhere", () => {
  it("is over for a task, its code included", async () => {
    const { onEvent } = cancelWith();
    const task = await tasks.dock.executePythonTask("Wait", { model: tasks.script([WAIT]), onEvent });
    expect(task).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(await other.runs.get(task.runId)).toMatchObject({ status: "cancelled", errorCode: "run.cancelled" });
    expect((await tasks.dock.runs.list({ status: "running" })).runs).toEqual([]);
  });

  it("is over for a workflow, and none of its later steps begins", async () => {
    const { onEvent } = cancelWith();
    const model = tasks.script([WAIT, code("1")]);
    const workflow = await tasks.dock.executePythonWorkflow(["Wait", "Then this"], { model, onEvent });
    expect(workflow).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(await other.runs.get(workflow.runId)).toMatchObject({ status: "cancelled" });
  });

  it("is over for an agent, whatever tool it waits for", async () => {
    const { onEvent } = cancelWith();
    const waits = { name: "waits", description: "Waits.", input: z.object({}), run: () => new Promise(() => {}) };
    const idle = agent({ name: "idle", description: "Waits.", input: z.object({}), prompt: "Wait", tools: [waits] });
    (idle as unknown as Record<symbol, { use(host: unknown): void }>)[Symbol.for("drydock.agent")]?.use(tasks.dock);
    const model = tasks.script([{ toolCalls: [{ name: "waits", arguments: {} }] }]);
    await expect(idle({}, { model, onEvent })).rejects.toMatchObject({ code: "run.cancelled" });
  });

  it("is over for an execution that was started in the background", async () => {
    const run = await tasks.dock.exec({
      code: "import time\ntime.sleep(60)",
      onStarted: (runId) => void other.runs.cancel(runId),
    });
    expect(run).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(await other.runs.get(run.runId)).toMatchObject({ status: "cancelled" });
  });
});

describe("what can't be cancelled says so", () => {
  it("for a run that there is not, or that has ended", async () => {
    await expect(other.runs.cancel("run_none")).rejects.toMatchObject({ code: "run.not_found" });
    const { runId } = await tasks.dock.exec({ code: "1" });
    await expect(other.runs.cancel(runId)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("has ended (succeeded)"),
    });
  });

  it("for an execution that somebody waits for, with who can end it", async () => {
    const controller = new AbortController();
    const up = Promise.withResolvers<void>();
    const onOutput = () => up.resolve();
    const running = tasks.dock.exec({
      ...{ code: "print('up', flush=True)\nimport time\ntime.sleep(60)", onOutput },
      signal: controller.signal,
    });
    await up.promise;
    const [run] = (await other.runs.list({ status: "running" })).runs;
    await expect(other.runs.cancel(run?.id ?? "")).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining("where it was started"),
    });
    controller.abort();
    expect((await running).error?.code).toBe("run.cancelled");
  });

  it("for a part of another run, which is named, and for a step of a session", async () => {
    const controller = new AbortController();
    const up = Promise.withResolvers<void>();
    const task = tasks.dock.executePythonTask("Wait", {
      ...{ model: tasks.script([WAIT]), signal: controller.signal, onOutput: () => up.resolve() },
    });
    await up.promise;
    const { runs } = await other.runs.list({ status: "running" });
    const [step, whole] = [runs.find(({ kind }) => kind === "session"), runs.find(({ kind }) => kind === "task")];
    await expect(other.runs.cancel(step?.id ?? "")).rejects.toMatchObject({
      hint: expect.stringContaining(whole?.id ?? "?"),
    });
    controller.abort();
    await task;
    const session = await tasks.dock.sessions.open();
    const begun = Promise.withResolvers<void>();
    const busy = session.exec("print('up', flush=True)\nimport time\ntime.sleep(60)", {
      onOutput: () => begun.resolve(),
    });
    await begun.promise;
    const [run] = (await other.runs.list({ status: "running" })).runs;
    await expect(other.runs.cancel(run?.id ?? "")).rejects.toMatchObject({ hint: expect.stringContaining(session.id) });
    await session.close();
    await busy;
  });
});
