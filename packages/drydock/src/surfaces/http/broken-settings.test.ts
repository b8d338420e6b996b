import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "./index.ts";

function startWith(file: string, text: string) {
  const home = mkdtempSync(join(tmpdir(), "drydock-http-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, file);
  writeFileSync(path, text);
  const starting = serve([], { port: 0, home });
  starting.then(({ close }) => onTestFinished(close)).catch(() => {});
  return { path, starting };
}

it("a server does not start with a policy that can't be read, and says file, line and what to do", async () => {
  const { path, starting } = startWith("policy.yaml", "version: 1\nlimits:\n  wallSecond: 3\n");
  await expect(starting).rejects.toMatchObject({
    code: "policy.invalid",
    message: `${path}:3:3: limits.wallSecond: unknown key`,
    hint: expect.stringContaining("Did you mean limits.wallSeconds?"),
  });
});

it("a server does not start with a configuration that can't be read", async () => {
  const { path, starting } = startWith("config.yaml", "version: 1\nmodles: {}\n");
  await expect(starting).rejects.toMatchObject({
    code: "input.invalid",
    message: `${path}:2:1: modles: unknown key`,
    hint: expect.stringContaining("Did you mean models?"),
  });
});
