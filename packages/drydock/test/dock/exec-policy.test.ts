import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, DrydockError, type ExecOptions } from "drydock";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock({
  policy: [
    "version: 1",
    "commands: { allow: [ls, echo, cat, 'git diff *'] }",
    "environment: { allow: [LANG, 'DOCK_OK_*'] }",
    "limits: { memoryMb: { default: 128, max: 256 } }",
  ].join("\n"),
});

describe("a request's policy", () => {
  it("may narrow", async () => {
    const run = await test.python("x = bytearray(100 << 20)", { policy: { limits: { memoryMb: 64 } } });
    expect(run.error?.code).toBe("limit.memory");
  });

  it("may ask for up to the ceiling", async () => {
    const code = "x = bytearray(180 << 20)\nlen(x)";
    expect((await test.python(code)).error?.code).toBe("limit.memory");
    expect(await test.python(code, { policy: { limits: { memoryMb: 256 } } })).toMatchObject({ ok: true });
  });

  it.each([
    [{ limits: { memoryMb: 512 } }, "memoryMb"],
    [{ network: { allow: ["example.org:443"] } }, "example.org:443"],
    [{ environment: { allow: ["HOME"] } }, "HOME"],
  ])("over the ceiling is refused with the lines to add: %j", async (policy, word) => {
    const run = await test.python("print('ran')", { policy });
    expect(run).toMatchObject({ ok: false, stdout: "" });
    expect(run.error?.code).toMatch(/^policy\./);
    expect(`${run.error?.message} ${run.error?.hint}`).toContain(word);
    expect(run.error?.hint).toMatch(/policy/);
    expect((await test.dock.runs.get(run.runId)).status).toBe("failed");
  });

  it("with a key that does not exist is a result that names it, and nothing runs", async () => {
    const policy = { limits: { memoryMB: 64 } } as ExecOptions["policy"];
    const run = await test.python("print('ran')", { policy });
    expect(run).toMatchObject({ ok: false, stdout: "", error: { code: "policy.invalid" } });
    expect(run.error?.message).toContain("memoryMB");
  });
});

describe("the owner's list of commands", () => {
  it("holds for bash code, line by line", async () => {
    expect(await test.bash("echo a\nls /")).toMatchObject({ ok: true });
    const run = await test.bash("echo a\nrm -rf x");
    expect(run).toMatchObject({
      ok: false,
      stdout: "",
      error: { code: "policy.command_denied", command: "rm -rf x", line: 2 },
    });
  });

  it.each(["echo $(rm x)", "echo a | tee b", "x=rm; $x y", "ls; eval 'rm x'", "git push"])(
    "is not got around by %s",
    async (code) => {
      expect((await test.bash(code)).error?.code).toBe("policy.command_denied");
    },
  );
});

describe("the environment", () => {
  it("holds what the list names and the host has", async () => {
    process.env.DOCK_OK_A = "1";
    process.env.DOCK_NO = "2";
    try {
      const run = await test.python(
        "import os\nresult = {k: v for k, v in os.environ.items() if k.startswith('DOCK')}",
      );
      expect(run.result).toEqual({ DOCK_OK_A: "1" });
      expect((await test.node("Object.keys(process.env).filter((k) => k.startsWith('DOCK'))")).result).toEqual([
        "DOCK_OK_A",
      ]);
      expect((await test.bash("echo $DOCK_OK_A$DOCK_NO")).stdout).toBe("1\n");
    } finally {
      delete process.env.DOCK_OK_A;
      delete process.env.DOCK_NO;
    }
  });
});

describe("the guard", () => {
  const strict = { python: { guard: "strict" as const } };

  it("refuses imports and calls with line and column, before anything runs", async () => {
    const imported = await test.python("print('ran')\nimport subprocess", { policy: strict });
    expect(imported).toMatchObject({ stdout: "", error: { code: "policy.import_denied", line: 2, column: 8 } });
    expect(imported.error?.message).toContain("subprocess");
    const called = await test.python("x = 1\ny = eval('x')", { policy: strict });
    expect(called.error).toMatchObject({ code: "policy.call_denied", line: 2, column: 5 });
  });

  it("lets pass what is on its list", async () => {
    expect(await test.python("import math\nmath.sqrt(16)", { policy: strict })).toMatchObject({ ok: true, result: 4 });
  });

  it("is lifted by `unsafe`, and nothing else is", async () => {
    const code = "import subprocess, os\nresult = subprocess.run(['id', '-u'], capture_output=True, text=True).stdout";
    expect(await test.python(code, { policy: strict, unsafe: true })).toMatchObject({ ok: true, result: "1000\n" });
    const outside = await test.python("open('/etc/shadow').read()", { unsafe: true });
    expect(outside).toMatchObject({ ok: false, error: { code: "policy.path_denied", path: "/etc/shadow" } });
  });

  it("blocks what a request blocks", async () => {
    const run = await test.python("import json", { policy: { python: { imports: { block: ["json"] } } } });
    expect(run.error).toMatchObject({ code: "policy.import_denied", line: 1 });
  });
});

describe("a request that can't be read", () => {
  it.each([
    [{}],
    [{ language: "python" }],
    [{ language: "perl", code: "1" }],
    [{ code: "1", command: ["ls"] }],
    [{ command: [] }],
    [{ command: ["ls", "a\0b"] }],
    [{ language: "bash", command: ["ls"] }],
    [{ code: 5 }],
    [{ code: "1", unknown: true }],
    [{ code: "1", workspace: "/no/such/directory" }],
    [{ code: "1", workspace: "/etc/hostname" }],
  ])("is rejected: %j", async (request) => {
    const error = await test.dock.exec(request as ExecOptions).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DrydockError);
    expect(error).toMatchObject({ code: "input.invalid" });
    expect((error as DrydockError).hint).not.toBe("");
  });

  it("does not even become a run", async () => {
    const before = (await test.dock.runs.list({ limit: 1 })).runs[0]?.id;
    await test.dock.exec({ code: "1", command: ["ls"] }).catch(() => {});
    expect((await test.dock.runs.list({ limit: 1 })).runs[0]?.id).toBe(before);
  });
});

describe("a dock that is closed", () => {
  it("rejects what comes after, and lets what is under way end with a record", async () => {
    const home = mkdtempSync(join(tmpdir(), "drydock-test-"));
    try {
      const dock = await createDock({ home, warm: 0 });
      const started = new Promise<void>((resolve) => {
        void dock.exec({ code: "1" }).then(() => resolve());
      });
      await started;
      const received = Promise.withResolvers<void>();
      const late = dock.exec({ code: "print('up')\nimport time\ntime.sleep(50)", onOutput: () => received.resolve() });
      await received.promise;
      await dock.close();
      await dock.close();
      expect((await late).ok).toBe(false);
      await expect(dock.exec({ code: "1" })).rejects.toMatchObject({ code: "input.invalid" });
      await expect(dock.sessions.open()).rejects.toMatchObject({ code: "input.invalid" });
      const again = await createDock({ home, warm: 0 });
      const { runs } = await again.runs.list();
      expect(runs.map((run) => run.status)).toEqual(["cancelled", "succeeded"]);
      expect((await again.audit.verify()).ok).toBe(true);
      await again.close();
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
