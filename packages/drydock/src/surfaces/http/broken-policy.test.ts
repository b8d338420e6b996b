import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "./index.ts";

it("a server does not start with a policy that can't be read, and says file, line and what to do", async () => {
  const home = mkdtempSync(join(tmpdir(), "drydock-http-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, "policy.yaml"), "version: 1\nlimits:\n  wallSecond: 3\n");
  const starting = serve([], { port: 0, home });
  starting.then(({ close }) => onTestFinished(close)).catch(() => {});
  await expect(starting).rejects.toMatchObject({
    code: "policy.invalid",
    message: `${join(home, "policy.yaml")}:3:3: limits.wallSecond: unknown key`,
    hint: expect.stringContaining("Did you mean limits.wallSeconds?"),
  });
});
