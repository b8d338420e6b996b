import { agent } from "drydock";
import { expect, it } from "vitest";
import * as z from "zod";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();
const base = {
  name: "faulty",
  description: "Goes wrong.",
  input: z.object({ text: z.string() }),
  prompt: "{{ text }}",
};

async function on<T extends { [key: symbol]: { use(host: unknown): void } } | object>(made: T): Promise<T> {
  (made as Record<symbol, { use(host: unknown): void }>)[Symbol.for("drydock.agent")]?.use(tasks.dock);
  return made;
}

it("a hook that throws is named", async () => {
  const hooks = {
    afterGenerate: () => {
      throw new Error("no");
    },
  };
  const faulty = await on(agent({ ...base, hooks }));
  const call = faulty("x", { model: tasks.script([{ text: "x" }]) });
  await expect(call).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining("hook afterGenerate threw: no"),
  });
});

it("a tool that never ends does not outlive a cancelled call", async () => {
  const controller = new AbortController();
  const waits = {
    name: "waits",
    description: "Waits.",
    input: z.object({}),
    run: () => {
      setTimeout(() => controller.abort(), 20);
      return new Promise(() => {});
    },
  };
  const faulty = await on(agent({ ...base, tools: [waits] }));
  const model = tasks.script([{ toolCalls: [{ name: "waits", arguments: {} }] }]);
  await expect(faulty("x", { model, signal: controller.signal })).rejects.toMatchObject({ code: "run.cancelled" });
});

it("a model that only calls tools comes to an end", async () => {
  const ping = { name: "ping", description: "Pings.", input: z.object({}), run: () => "pong" };
  const faulty = await on(agent({ ...base, tools: [ping], maxTurns: 3 }));
  const model = tasks.script([{ toolCalls: [{ name: "ping", arguments: {} }], repeat: "always" }]);
  await expect(faulty("x", { model })).rejects.toMatchObject({
    code: "model.failed",
    message: expect.stringContaining("3 answers"),
  });
});

it("a budget holds for an agent and for the agents that it calls", async () => {
  const inner = agent({ ...base, name: "inner", execute: {} });
  const outer = await on(agent({ ...base, name: "outer", tools: [inner], maxTurns: 50 }));
  const model = tasks.script([
    { when: { task: "outer" }, toolCalls: [{ name: "inner", arguments: { text: "x" } }], repeat: "always" },
    { ...code("result = 1"), when: { task: "inner" }, repeat: "always" },
  ]);
  await expect(outer("x", { model, budget: { tokens: 3000 } })).rejects.toMatchObject({ code: "limit.budget" });
});

it("without a model the error says how to name one", async () => {
  const faulty = await on(agent({ ...base, model: "nobody/knows" }));
  await expect(faulty("x")).rejects.toMatchObject({ code: "model.unavailable" });
});
