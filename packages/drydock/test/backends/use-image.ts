import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engine, findTestEngine } from "./test-engines.ts";

/** Lists the files of a small system with Python in it, below /: the interpreter, its modules, and the libraries that they need. */
const LIST_FILES = `
import glob, os, re, subprocess, sys, sysconfig
modules = sysconfig.get_path("stdlib")
binary = os.path.realpath("/usr/bin/python3")
needing = [binary, *glob.glob(modules + "/lib-dynload/*.so")]
told = subprocess.run(["ldd", *needing], capture_output=True, text=True).stdout
libraries = {path for path in re.findall(r"(/\\S+\\.so\\S*) \\(", told)}
real = {os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in libraries}
links = [name for name in ("/bin", "/lib", "/lib64") if os.path.islink(name)]
print("\\n".join(sorted({binary, modules, *links, *real, *map(os.path.realpath, real)})))
`;

/** Imports an image that has Python, a file of its own, and a link out of Drydock's own place. Nothing is pulled. */
function makeImage(name: string, directory: string): void {
  const system = join(directory, "system");
  mkdirSync(join(system, "drydock/lib"), { recursive: true });
  writeFileSync(join(directory, "canary"), "untouched");
  symlinkSync(join(directory, "canary"), join(system, "drydock/lib/worker.cjs"));
  mkdirSync(join(system, "etc"), { recursive: true });
  mkdirSync(join(system, "usr/bin"), { recursive: true });
  writeFileSync(join(system, "etc/marker"), "from the image");
  const files = execFileSync("/usr/bin/python3", ["-c", LIST_FILES], { encoding: "utf8" }).trim().split("\n");
  const python =
    files.find((path) => /\/python3\.\d+$/.test(path) && path.startsWith("/usr/bin")) ?? "/usr/bin/python3";
  execFileSync("ln", ["-s", python, join(system, "usr/bin/python3")]);
  const archive = join(directory, "image.tar");
  const left = ["test", "dist-packages", "__pycache__", "config-3*", "idlelib"].map((each) => `--exclude=*/${each}`);
  const relative = files.map((path) => path.slice(1));
  execFileSync("tar", [
    "-cf",
    archive,
    ...left,
    "-C",
    system,
    "etc",
    "drydock",
    "usr/bin/python3",
    "-C",
    "/",
    ...relative,
  ]);
  execFileSync("podman", ["import", archive, name], { stdio: "ignore" });
}

/** Runs on one backend with an image that the owner names, and what others can't do about it. */
export function useImage(backend: string): void {
  const directory = mkdtempSync(join(tmpdir(), "drydock-image-"));
  const image = `localhost/drydock-test:${process.pid}-${backend}`;
  let engine: Engine | undefined;
  let dock: Dock;

  beforeAll(async () => {
    engine = findTestEngine(backend, directory);
    engine = { ...engine, restore: engine?.restore ?? (() => {}), missing: engine?.missing ?? lacksPodman() };
    if (engine.missing !== undefined) return;
    makeImage(image, directory);
    const home = join(directory, "home");
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "policy.yaml"), JSON.stringify({ version: 1, sandbox: { backends: [backend], image } }));
    dock = await createDock({ home, warm: 0 });
  });
  afterAll(async () => {
    await dock?.close();
    engine?.restore();
    if (dock) spawnSync("podman", ["rmi", "--force", image], { stdio: "ignore" });
    rmSync(directory, { recursive: true, force: true });
  });

  test("its files are the system that a run sees, read-only", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const code = `
import os
print(open("/etc/marker").read(), os.getcwd(), os.path.exists("/usr/bin/bash"))
for path in ("/etc/marker", "/new"):
    try: open(path, "w"); print("written")
    except OSError as error: print(type(error).__name__)
open("left.txt", "w").write("x")`;
    const { ok, stdout, changes, sandbox, error } = await dock.exec({ language: "python", code });
    expect({ ok, error, sandbox, changes }).toEqual({
      ok: true,
      error: null,
      sandbox: { backend, level: "cgroups" },
      changes: [{ path: "left.txt", kind: "added" }],
    });
    expect(stdout).toMatch(/^from the image \/work False\n(?:OSError|PermissionError)\n(?:OSError|PermissionError)\n$/);
  });

  test("a link of it leads none of Drydock's files to the host's", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    expect(await dock.exec({ language: "python", code: "print(1)" })).toMatchObject({ ok: true });
    expect(readFileSync(join(directory, "canary"), "utf8")).toBe("untouched");
  });

  test("a request can go without it, and can't name another", async ({ skip }) => {
    skip(engine?.missing !== undefined, engine?.missing);
    const code = "import os; print(os.path.exists('/etc/marker'))";
    const without = { sandbox: { image: "host" } };
    expect(await dock.exec({ language: "python", code, policy: without })).toMatchObject({ stdout: "False\n" });
    const other = { sandbox: { image: "localhost/other:1" } };
    expect((await dock.exec({ language: "python", code, policy: other })).error?.code).toBe("policy.invalid");
  });
}

function lacksPodman(): string | undefined {
  const { status } = spawnSync("podman", ["info"], { stdio: "ignore" });
  return status === 0 ? undefined : "images are made with podman, which does not run here";
}
