import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openTestDock } from "../testing/test-dock.ts";

const it = openTestDock({ policy: "version: 1\nsandbox: { backends: [namespaces, unconfined] }\n" });
const guarded = openTestDock();
const unconfined = { unconfined: true } as const;

describe("without a sandbox", () => {
  test("every result says so, with what does not hold", async () => {
    const { ok, sandbox, notes } = await it.python("1", unconfined);
    expect({ ok, sandbox }).toEqual({ ok: true, sandbox: { backend: "unconfined", level: "none" } });
    expect(notes.join("; ")).toMatch(
      /this run was not contained.*network was not limited.*limits on processes, memory and disk/,
    );
  });

  test("the code is the host's own user, and sees the host", async () => {
    const path = join(it.directory, "outside.txt");
    writeFileSync(path, "seen");
    const { result } = await it.python(
      `import os\n[os.getuid(), open(${JSON.stringify(path)}).read(), os.getppid() > 1]`,
      unconfined,
    );
    expect(result).toEqual([process.getuid?.(), "seen", true]);
  });

  test("is refused where the policy does not name it, and is never what a plain run gets", async () => {
    const refused = await guarded.python("1", unconfined);
    expect(refused.error).toMatchObject({ code: "sandbox.unavailable" });
    expect(refused.error?.hint).toContain("sandbox.backends");
    expect((await it.python("1")).sandbox.backend).toBe("namespaces");
  });

  test("the environment holds what the policy lets through, and nothing else", async () => {
    process.env.UNCONFINED_CANARY = "leaked";
    try {
      const { result } = await it.python("import os\ndict(os.environ)", unconfined);
      expect(result).not.toHaveProperty("UNCONFINED_CANARY");
      expect(Object.keys(result as object).sort()).toEqual(expect.arrayContaining(["HOME", "LANG", "PATH", "TMPDIR"]));
    } finally {
      delete process.env.UNCONFINED_CANARY;
    }
  });

  test("results, exceptions, exits and the guard are told as in the sandbox", async () => {
    expect((await it.python("result = {'a': [1, None]}", unconfined)).result).toEqual({ a: [1, null] });
    expect((await it.python("import asyncio\nawait asyncio.sleep(0)\n7", unconfined)).result).toBe(7);
    expect((await it.python("\n1/0", unconfined)).error).toMatchObject({ code: "code.exception", line: 2 });
    expect((await it.python("import sys; sys.exit(7)", unconfined)).error).toMatchObject({
      code: "code.exit",
      exitCode: 7,
    });
    const strict = { ...unconfined, policy: { python: { guard: "strict" } } } as const;
    expect((await it.python("import ctypes", strict)).error).toMatchObject({ code: "policy.import_denied" });
  });

  test("a module of the user's own goes before one of ours with the same name", async () => {
    const workspace = it.makeWorkspace({ "linux.py": "mine = 1", "attend/session.py": "mine = 2" });
    const code = "import linux, attend.session\n[linux.mine, attend.session.mine]";
    const { result } = await it.python(code, { ...unconfined, workspace });
    expect(result).toEqual([1, 2]);
  });

  test("garbage is collected, as in any interpreter", async () => {
    expect(await it.python("import gc\ngc.isenabled()", unconfined)).toMatchObject({ ok: true, result: true });
  });

  test("a figure comes back as an artifact", async () => {
    const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nNone";
    const { artifacts, error } = await it.python(code, unconfined);
    expect(error).toBeNull();
    expect(artifacts).toMatchObject([{ name: "figure-1.png", mime: "image/png" }]);
  });

  test("Node, bash and commands run as well", async () => {
    expect(await it.node("console.log(1); ({ a: 2 })", unconfined)).toMatchObject({ stdout: "1\n", result: { a: 2 } });
    const bash = await it.bash("read line; echo got $line; exit 3", { ...unconfined, stdin: "x\n" });
    expect(bash).toMatchObject({ stdout: "got x\n", error: { code: "code.exit", exitCode: 3 } });
    const command = await it.dock.exec({ command: ["python3", "-c", "print(2)"], ...unconfined });
    expect(command).toMatchObject({ ok: true, stdout: "2\n", sandbox: { backend: "unconfined" } });
  });
});

describe("a workspace without a sandbox", () => {
  test("is copied: the user's directory stays as it is, and the changes are in the layer", async () => {
    const workspace = it.makeWorkspace({
      "keep.txt": "k",
      "edit.txt": "old",
      "gone.txt": "g",
      "d/e.txt": "e",
      "old/x": "x",
    });
    symlinkSync("keep.txt", join(workspace, "link"));
    const { changes, error, runId } = await it.bash(
      "echo new > edit.txt; rm gone.txt; rm -r old; mkdir n; echo 1 > n/a; chmod 755 d/e.txt; ln -s keep.txt other; cat link > /dev/null",
      { ...unconfined, workspace },
    );
    expect(error).toBeNull();
    expect(changes).toEqual([
      { path: "d/e.txt", kind: "changed" },
      { path: "edit.txt", kind: "changed" },
      { path: "gone.txt", kind: "deleted" },
      { path: "n/a", kind: "added" },
      { path: "old/x", kind: "deleted" },
      { path: "other", kind: "added" },
    ]);
    expect(readFileSync(join(workspace, "edit.txt"), "utf8")).toBe("old");
    expect(readdirSync(workspace).sort()).toEqual(["d", "edit.txt", "gone.txt", "keep.txt", "link", "old"]);
    expect(await it.dock.runs.diff(runId)).toContain("+new");
  });

  test("that nobody touches has no changes, and the tree that it had", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a", "b/c.txt": "c" });
    mkdirSync(join(workspace, "empty"), { mode: 0o750 });
    const [bare, boxed] = [await it.bash("ls", { ...unconfined, workspace }), await it.bash("ls", { workspace })];
    expect(bare.changes).toEqual([]);
    expect(bare.treeHash).toBe(boxed.treeHash);
    expect(bare.stdout).toBe(boxed.stdout);
  });

  test("shows no hidden files, and a write to a protected one is told", async () => {
    const workspace = it.makeWorkspace({ ".env": "SECRET=1", "a/.env.local": "x", "a/b.txt": "b", ".git/config": "c" });
    const seen = await it.bash("find . -type f | sort", { ...unconfined, workspace });
    expect(seen).toMatchObject({ ok: true, stdout: "./.git/config\n./a/b.txt\n" });
    const denied = await it.bash("echo x > .git/config", { ...unconfined, workspace });
    expect(denied.error).toMatchObject({ code: "policy.path_denied", paths: [".git/config"] });
    expect(readFileSync(join(workspace, ".git/config"), "utf8")).toBe("c");
  });

  test("a file that becomes a directory, and a directory that becomes a file", async () => {
    const workspace = it.makeWorkspace({ file: "f", "dir/a": "a" });
    const { changes } = await it.bash("rm file; mkdir file; echo 1 > file/x; rm -r dir; echo 2 > dir", {
      ...unconfined,
      workspace,
    });
    expect(changes.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual(
      ["added file/x", "changed dir", "changed file", "deleted dir/a"].sort(),
    );
  });
});

describe("the end of a run without a sandbox", () => {
  test("kills what was left running, in sessions of its own as well", async () => {
    const marker = `unconfined-daemon-${process.pid}`;
    const { ok } = await it.bash(`setsid bash -c 'exec -a ${marker} sleep 60' & sleep 0.2`, unconfined);
    expect(ok).toBe(true);
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
  });

  test("the deadline, the output's limit and the processor's limit hold", async () => {
    const limited = (limits: object) => ({ ...unconfined, policy: { limits } });
    const late = await it.bash("sleep 60", limited({ wallSeconds: 0.3 }));
    expect(late.error).toMatchObject({ code: "limit.timeout" });
    const loud = await it.bash("yes", limited({ outputMb: 0.01 }));
    expect(loud.error).toMatchObject({ code: "limit.output" });
    expect(loud.stdout.startsWith("y\ny\n")).toBe(true);
    const busy = await it.python("while True: pass", limited({ cpuSeconds: 0.2 }));
    expect(busy.error).toMatchObject({ code: "limit.cpu" });
  });

  test("a cancelled run is over, with its processes", async () => {
    const marker = `unconfined-cancelled-${process.pid}`;
    const controller = new AbortController();
    const running = it.bash(`exec -a ${marker} sleep 60`, { ...unconfined, signal: controller.signal });
    expect(await eventually(() => processesWith(marker).length > 0)).toBe(true);
    controller.abort();
    expect((await running).error).toMatchObject({ code: "run.cancelled" });
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
  });

  test("leaves no copy behind", async () => {
    const workspace = it.makeWorkspace({ "a.txt": "a" });
    const { stdout } = await it.bash("pwd; mkdir shut; echo 1 > shut/x; chmod 000 shut", { ...unconfined, workspace });
    const copy = stdout.trim();
    expect(copy).not.toBe(workspace);
    expect(await eventually(() => !existsSync(copy))).toBe(true);
    rmSync(workspace, { recursive: true });
  });
});
