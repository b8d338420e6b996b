import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, runJson } from "../cli/testing/run-cli.ts";
import { useHome } from "../cli/testing/use-home.ts";

useHome();
let prefix: string;
const specOf = (name: string) => join(prefix, "share", "jupyter", "kernels", name, "kernel.json");

beforeAll(async () => {
  prefix = await mkdtemp(join(tmpdir(), "drydock-jupyter-"));
});
afterAll(() => rm(prefix, { recursive: true, force: true }));

describe("drydock jupyter install", () => {
  it("writes what Jupyter needs to start the kernel, as often as it is asked to, and uninstall removes it", async () => {
    for (const workspace of ["/elsewhere", "/somewhere"]) {
      const words = ["jupyter", "install", "--prefix", prefix, "--workspace", workspace];
      expect((await runCli(...words)).stdout).toContain(join(prefix, "share", "jupyter", "kernels", "drydock"));
    }
    const spec = JSON.parse(readFileSync(specOf("drydock"), "utf8")) as { argv: string[] };
    expect(spec).toMatchObject({ language: "python", interrupt_mode: "message", display_name: "Drydock (Python)" });
    expect(spec.argv).toEqual(
      expect.arrayContaining(["python3", "{connection_file}", "jupyter", "kernel", "--workspace", "/somewhere"]),
    );
    expect(existsSync(spec.argv[1] ?? "")).toBe(true);
    expect(await runJson("jupyter", "uninstall", "--prefix", prefix)).toMatchObject({
      status: 0,
      value: { name: "drydock" },
    });
    expect(existsSync(specOf("drydock"))).toBe(false);
    expect((await runCli("jupyter", "uninstall", "--prefix", prefix)).status).toBe(2);
  });

  it("neither replaces nor removes a kernel that is not its own", async () => {
    await mkdir(join(specOf("python3"), ".."), { recursive: true });
    await writeFile(specOf("python3"), '{"argv":["python3"]}');
    for (const verb of ["install", "uninstall"]) {
      const { status, stderr } = await runCli("jupyter", verb, "--prefix", prefix, "--name", "python3");
      expect([status, stderr]).toEqual([2, expect.stringContaining("is not Drydock's")]);
    }
    expect(readFileSync(specOf("python3"), "utf8")).toBe('{"argv":["python3"]}');
  });

  it.each(["../x", "..", "a b", ""])("refuses the name %j", async (name) => {
    expect((await runCli("jupyter", "install", "--prefix", prefix, "--name", name)).status).toBe(2);
  });

  it("refuses options that contradict each other", async () => {
    expect((await runCli("jupyter", "install", "--user", "--prefix", prefix)).status).toBe(2);
    expect((await runCli("jupyter", "install", "--workspace", ".", "--notebook-dir")).status).toBe(2);
  });
});
