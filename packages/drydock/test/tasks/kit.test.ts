import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agent, type CodeAttempt } from "drydock";
import {
  assertCode,
  assertFailed,
  assertOk,
  assertResult,
  assertToolCalls,
  assertVerdict,
  openTestDock,
} from "drydock/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { code, openTaskDock } from "../testing/task-dock.ts";

const tasks = openTaskDock();

async function openKit(options: Parameters<typeof openTestDock>[0]) {
  const kit = await openTestDock({ warm: 0, ...options });
  onTestFinished(() => kit.close());
  return kit;
}

it("a model is recorded once and replayed for ever, failures and all", async () => {
  const recording = join(tasks.directory, "recorded", "one.json");
  const model = tasks.script([code("print(object())\n1 / 0"), code("result = 42", { contains: "ZeroDivisionError" })]);
  const first = await openKit({ recording, model });
  expect(first.mode).toBe("record");
  const recorded = await first.dock.executePythonTask("Answer");
  const kept = readFileSync(recording, "utf8");
  const again = await openKit({ recording });
  expect(again.mode).toBe("replay");
  const replayed = await again.dock.executePythonTask("Answer");
  const codes = (attempts: CodeAttempt[]) => attempts.map((attempt) => [attempt.code, attempt.error?.code]);
  expect(codes(replayed.attempts)).toEqual(codes(recorded.attempts));
  expect(again.modelCalls()).toBe(2);
  assertOk(replayed);
  assertCode(replayed, /result = \d+/);
  assertResult(replayed, 42);
  assertVerdict(replayed, "unverified");
  expect(readFileSync(recording, "utf8")).toBe(kept);
});

it("a request that was not recorded fails, and says to record again", async () => {
  const recording = join(tasks.directory, "two.json");
  writeFileSync(recording, JSON.stringify({ version: 1, exchanges: [] }));
  const kit = await openKit({ recording });
  const result = await kit.dock.executePythonTask("Something new");
  assertFailed(result, "model.failed");
  expect(result.error?.hint).toContain("Record again");
});

it("without a recording and without a model nothing is recorded", async () => {
  const recording = join(tasks.directory, "three.json");
  const kit = await openKit({ recording, model: "anthropic/none" });
  assertFailed(await kit.dock.executePythonTask("x"), "model.unavailable");
  expect(existsSync(recording)).toBe(false);
});

it("a recording that can't be read is refused by name", async () => {
  const recording = join(tasks.directory, "four.json");
  writeFileSync(recording, "{");
  await expect(openTestDock({ recording })).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(recording),
  });
});

it("assertions fail where what they say does not hold", async () => {
  const call = { name: "add", arguments: { a: 1, b: 2 }, text: "3", failed: false, runId: null };
  assertToolCalls({ toolCalls: [call] }, [{ name: "add", arguments: { a: 1 } }]);
  expect(() => assertToolCalls({ toolCalls: [call] }, [{ name: "add", arguments: { a: 2 } }])).toThrow();
  expect(() => assertToolCalls({ toolCalls: [call] }, [])).toThrow();
  expect(() => assertResult({ result: 1 }, "1")).toThrow();
  expect(() => assertCode({ code: "x" }, "y")).toThrow("y");
  expect(() => assertVerdict({ verdict: "failed" }, "passed")).toThrow();
  const error = { code: "limit.timeout" as const, message: "too slow", hint: "be quick" };
  expect(() => assertOk({ ok: false, error })).toThrow("too slow");
  expect(() => assertFailed({ success: false, error }, "limit.cpu")).toThrow("limit.timeout");
});

it("agents answer from a recording too", async () => {
  const recording = join(tasks.directory, "five.json");
  const greet = agent({
    name: "greet",
    description: "Greets.",
    input: z.object({ name: z.string() }),
    prompt: "Greet {{ name }}",
  });
  const model = tasks.script([{ text: "Hello, Ada!" }]);
  const first = await openKit({ recording, model });
  expect((await first.dock.callAgent(definitionOf(greet), "Ada", {})).output).toBe("Hello, Ada!");
  const again = await openKit({ recording, mode: "replay" });
  expect((await again.dock.callAgent(definitionOf(greet), "Ada", {})).output).toBe("Hello, Ada!");
});

function definitionOf(value: unknown) {
  return (value as Record<symbol, { definition: never }>)[Symbol.for("drydock.agent")]?.definition as never;
}
