import type { ExecResult } from "@drydock/protocol";
import { expect, test } from "vitest";
import { captureTerminal } from "../testing/capture-terminal.ts";
import { showResult } from "./show-result.ts";

const RESULT: ExecResult = {
  ok: true,
  runId: "run_01",
  stdout: "",
  stderr: "",
  result: 42,
  error: null,
  artifacts: [],
  changes: [],
  notes: [],
  treeHash: "00",
  usage: { wallMs: 1, cpuMs: 1, peakMemoryBytes: 1 },
  sandbox: { backend: "namespaces", level: "rlimits" },
};

test.each([true, false])("a result is shown before what follows it is cleaned up (--json: %s)", async (json) => {
  const { terminal, stdout } = captureTerminal();
  const context = { terminal, trailing: null, status: 9, early: null };
  let atCleanUp = "";
  await showResult(context, { json }, async (_watching, show) => {
    await show(RESULT);
    await terminal.flush();
    atCleanUp = stdout();
  });
  expect(atCleanUp).toContain("42");
  expect(stdout()).toBe(atCleanUp);
  expect(context.status).toBe(0);
});

test("colours of the output end with it, also where no result comes", async () => {
  const { terminal, stdout } = captureTerminal();
  const context = { terminal: { ...terminal, isOutputTerminal: true }, trailing: null, status: 9, early: null };
  const failing = showResult(context, {}, async ({ onOutput }) => {
    onOutput?.({ stream: "stdout", text: "\u001b[31mred" });
    throw new Error("the session is gone");
  });
  await expect(failing).rejects.toThrow("the session is gone");
  await terminal.flush();
  expect(stdout()).toBe("\u001b[31mred\u001b[0m");
});
