import type { ErrorInfo } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { TreeRunResult } from "../ports.ts";
import { runPythonBy } from "./run-python.ts";

function ending(exitCode: number | null, stderr: string, error: ErrorInfo | null = null) {
  const result = { exitCode, stdout: "[]", stderr, error } as Partial<TreeRunResult> as TreeRunResult;
  return runPythonBy(1, async () => result)("print('[]')", "");
}

it("resolves with what the program printed", async () => {
  expect(await ending(0, "")).toBe("[]");
});

it("does not take what a program that failed has printed for an answer", async () => {
  await expect(ending(1, "Traceback\nRecursionError: too deep\n")).rejects.toMatchObject({
    code: "internal",
    message: "Drydock's own analysis of the code failed: RecursionError: too deep",
  });
});

it("names the limit that ended the program, and what can be done about it", async () => {
  const error: ErrorInfo = {
    code: "limit.memory",
    message: "It used too much memory.",
    hint: "Raise limits.memoryMb.",
  };
  await expect(ending(null, "half a line", error)).rejects.toMatchObject({
    message: "Drydock's own analysis of the code failed: It used too much memory.",
    hint: error.hint,
  });
});
