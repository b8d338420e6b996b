import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const off = openTestDock({ policy: "python:\n  enabled: false\n" });
const on = openTestDock();

const DENIED = { code: "policy.command_denied", hint: expect.stringContaining("drydock policy unset python.enabled") };

it("python.enabled: false refuses Python code and its interpreters; other languages run", async () => {
  const run = await off.python("print(1)");
  expect(run.error).toMatchObject({ ...DENIED, message: expect.stringContaining("python.enabled: false") });
  expect(run.error?.hint).toMatch(/policy\.yaml:2\b/);
  expect((await off.dock.exec({ command: ["/usr/bin/python3", "-c", "print(1)"] })).error).toMatchObject(DENIED);
  expect((await off.bash("echo 1\npython3 -c 'print(1)'")).error).toMatchObject(DENIED);
  expect((await off.node("console.log(1)")).stdout).toBe("1\n");
  expect((await off.bash("echo 1")).stdout).toBe("1\n");
});

it("python.enabled: false lets no Python session be opened, and no task", async () => {
  await expect(off.dock.sessions.open()).rejects.toMatchObject({ code: "policy.command_denied" });
  const node = await off.dock.sessions.open({ language: "node" });
  expect((await node.exec("1 + 1")).result).toBe(2);
  await node.close();
  const request = await off.dock.ask("print(1)", { model: "repair" });
  expect(request.error).toMatchObject({ code: "policy.command_denied" });
});

it("a request can switch Python off for itself, and not on", async () => {
  const request = { policy: { python: { enabled: true } } };
  await expect(off.python("print(1)", request)).resolves.toMatchObject({ error: { code: "policy.command_denied" } });
  const own = await on.python("print(1)", { policy: { python: { enabled: false } } });
  expect(own.error).toMatchObject({ code: "policy.command_denied", hint: expect.stringContaining("request's own") });
  expect((await on.python("print(1)")).ok).toBe(true);
});

it("the doctor tries the sandbox without Python, and says that Python is off", async () => {
  const { ok, findings } = await off.dock.doctor();
  expect(ok).toBe(true);
  expect(findings).toContainEqual(expect.objectContaining({ name: "python code", state: "limited" }));
});
