import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInspector } from "./testing/run-inspector.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-inspector-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const inspect = async (...words: string[]) => {
  const { status, stdout, stderr } = await runInspector(home, "--format", "json", ...words);
  return { status, stderr, result: (JSON.parse(stdout) as { result: Record<string, unknown> }).result };
};
const call = (name: string, values: Record<string, unknown>) =>
  inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(values));

it("the inspector lists the tools, and finds no fault with their schemas", async () => {
  const { status, result, stderr } = await inspect("--method", "tools/list", "--strict");
  expect(status, stderr).toBe(0);
  expect(stderr).toContain("0 errors");
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  for (const name of ["execute_code", "run_command", "execute_python_task", "execute_python_workflow", "run_goal"]) {
    expect(names).toContain(name);
  }
});

it("the inspector calls a tool and gets its structured content, a picture and the artifact behind it", async () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const code = `import base64\nopen("dot.png", "wb").write(base64.b64decode("${pixel}"))\nprint("drawn")\nsum(range(10))`;
  const { status, result } = await call("execute_code", { code });
  expect(status).toBe(0);
  expect(result.structuredContent).toMatchObject({ ok: true, result: 45, stdout: "drawn\n" });
  expect(result.content).toContainEqual(expect.objectContaining({ type: "image", data: pixel, mimeType: "image/png" }));

  const { runId, artifacts } = result.structuredContent as { runId: string; artifacts: { id: string }[] };
  const uri = `drydock://runs/${runId}/artifacts/${artifacts[0]?.id}`;
  const read = await inspect("--method", "resources/read", "--uri", uri);
  expect(read.result.contents).toEqual([expect.objectContaining({ mimeType: "image/png", blob: pixel })]);
});

it("the inspector calls an action of an extension, and gets its outcome", async () => {
  const { status, result } = await call("jq__data", { filter: ".b = 7", data: { a: 6 }, compact: true });
  expect(status).toBe(0);
  expect(result.structuredContent).toMatchObject({ type: "capability_result", success: true, json: { a: 6, b: 7 } });
  const refused = await call("jq__data", { filter: ".a", data: {}, output: "/etc/x" });
  expect(refused.result).toMatchObject({ isError: true, structuredContent: { error: { code: "input.invalid" } } });
});

it("what failed reaches the inspector with its code and hint, as a tool's error", async () => {
  const { status, result } = await call("execute_code", { code: "1/0" });
  expect(status).not.toBe(0);
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { ok: false, error: { code: "code.exception", hint: expect.stringContaining("line 1") } },
  });
});
