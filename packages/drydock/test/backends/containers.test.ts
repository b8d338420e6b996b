import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock } from "drydock";
import { describe, expect, test } from "vitest";
import { useContainers } from "./use-containers.ts";

describe("containers of podman", () => useContainers("podman"));
describe("containers of gvisor", () => useContainers("gvisor"));
// Whole in `containers.soak.test.ts`.
describe("containers of docker", () => useContainers("docker", true));

describe("a backend whose engine does not run", () => {
  test("is refused with the engine's own reason, and nothing else takes the run", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drydock-containers-"));
    const programs = join(directory, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "docker"), "#!/bin/sh\necho 'no daemon here' >&2\nexit 1\n", { mode: 0o755 });
    const before = process.env.PATH;
    process.env.PATH = `${programs}:${before}`;
    const home = join(directory, "home");
    mkdirSync(home);
    writeFileSync(join(home, "policy.yaml"), "sandbox: { backends: [docker] }\n");
    const dock = await createDock({ home, warm: 0 });
    try {
      const { ok, error, stdout } = await dock.exec({ language: "python", code: "print(1)" });
      expect({ ok, stdout, error }).toMatchObject({
        ok: false,
        stdout: "",
        error: { code: "sandbox.unavailable", missing: "engine", hint: expect.stringContaining("drydock doctor") },
      });
      const isRoot = process.getuid?.() === 0;
      expect(error?.message).toContain(isRoot ? "docker does not answer: no daemon here" : "only root");
    } finally {
      await dock.close();
      process.env.PATH = before;
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
