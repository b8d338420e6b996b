import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { describe, expect, test } from "vitest";
import { CHILD_FLAGS } from "../../src/base/testing/child-flags.ts";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { findTestEngine } from "./test-engines.ts";

describe.each(["podman", "gvisor", "docker"])("a host with a container of %s", (backend) => {
  test("leaves nothing of it when it is killed", { timeout: 120_000 }, async ({ skip }) => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-kill-"));
    const engine = findTestEngine(backend, directory);
    skip(engine?.missing !== undefined, engine?.missing);
    const home = join(directory, "home");
    const marker = `container-survivor-${backend}-${process.pid}`;
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "policy.yaml"), JSON.stringify({ version: 1, sandbox: { backends: [backend] } }));
    try {
      const file = join(import.meta.dirname, "hold-run.ts");
      const host = spawn(process.execPath, [...CHILD_FLAGS, file, home, marker], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(host.stdout, "data");
      host.kill("SIGKILL");
      // The test's own words name it as well, and the host's.
      expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
      const dock = await createDock({ home, warm: 0 });
      expect(await dock.exec({ language: "python", code: "print(1)" })).toMatchObject({ stdout: "1\n" });
      await dock.close();
      const mounts = readFileSync("/proc/self/mountinfo", "utf8");
      expect(mounts).not.toMatch(/ \/tmp\/drydock-\w+\/m\d+\/s /);
    } finally {
      engine?.restore();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
