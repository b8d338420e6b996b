import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const { withSession } = test;

const LOOK = "import os\nresult = [x, sorted(os.listdir('.')), open('a.txt').read()]";

describe("a session", () => {
  it("keeps variables, imports, functions and files between steps", () =>
    withSession(async (session) => {
      expect(await session.exec("import math\nx = 1\ndef f(n): return n + x")).toMatchObject({ ok: true, step: 1 });
      expect(await session.exec("x += 41\nopen('a.txt', 'w').write('hello')")).toMatchObject({ ok: true, step: 2 });
      const third = await session.exec("f(math.floor(0.5)), open('a.txt').read()");
      expect(third).toMatchObject({ ok: true, result: [42, "hello"], step: 3, sessionId: session.id });
      expect(third.variables).toMatchObject({ x: "int", f: "function", math: "module" });
    }));

  it("takes `result` of the step, not of an earlier one", () =>
    withSession(async (session) => {
      expect((await session.exec("result = 1")).result).toBe(1);
      expect((await session.exec("y = 2")).result).toBeNull();
      expect((await session.exec("await __import__('asyncio').sleep(0, 7)")).result).toBe(7);
    }));

  it.each([
    ["raises", "raise ValueError('no')", "code.exception"],
    ["has a syntax error", "x = (", "code.syntax"],
    ["exits", "import sys; sys.exit(3)", "code.exit"],
    ["takes too long", "import time; time.sleep(30)", "limit.timeout"],
    ["needs too much memory", "y = bytearray(900 << 20)\ny[::4096] = b'x' * len(y[::4096])", "limit.memory"],
    ["writes too much", "while True: print('x' * 9999)", "limit.output"],
    ["kills itself", "os.kill(os.getpid(), 9)", "code.crash"],
    ["crashes", "import ctypes; ctypes.string_at(0)", "code.crash"],
    ["ends itself unseen", "os._exit(0)", "code.exit"],
  ])("is as it was before after a step that %s", (_name, code, expected) =>
    withSession(async (session) => {
      await session.exec("import os\nx = 1\nopen('a.txt', 'w').write('before')\nos.mkdir('d')");
      const damage = "x = 99\nopen('a.txt', 'w').write('after')\nopen('b.txt', 'w').write('new')\nos.rmdir('d')\n";
      const failed = await session.exec(damage + code, { policy: { limits: { wallSeconds: 2, outputMb: 0.1 } } });
      expect(failed.ok).toBe(false);
      expect(failed.error?.code).toBe(expected);
      expect((await session.exec(LOOK)).result).toEqual([1, ["a.txt", "d"], "before"]);
    }),
  );

  it("on a workspace is as it was before after a step that fails there", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "lower", "sub/b.txt": "b", "gone.txt": "still here" });
    await withSession(
      async (session) => {
        await session.exec("x = 0\nopen('a.txt', 'a').write(' + step 1')\nimport os, shutil");
        const failed = await session.exec(
          "open('a.txt', 'w').write('broken')\nos.remove('gone.txt')\nshutil.rmtree('sub')\nopen('sub', 'w').write('a file now')\n1/0",
        );
        expect(failed.ok).toBe(false);
        const look = await session.exec(
          "result = [open('a.txt').read(), open('gone.txt').read(), open('sub/b.txt').read(), sorted(os.listdir('.'))]",
        );
        expect(look.error).toBeNull();
        expect(look.result).toEqual(["lower + step 1", "still here", "b", ["a.txt", "gone.txt", "sub"]]);
        expect(look.changes).toEqual([{ path: "a.txt", kind: "changed" }]);
      },
      { workspace },
    );
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("lower");
    expect(existsSync(join(workspace, "sub/b.txt"))).toBe(true);
  });

  it("keeps the last ten steps, files and all", () =>
    withSession(async (session) => {
      for (let step = 1; step <= 12; step++) {
        const done = await session.exec(
          `x = ${step}\nopen('a.txt', 'w').write('step ${step}')\nopen('f${step}', 'w').close()`,
        );
        expect(done.ok).toBe(true);
      }
      const { kept } = session.stats();
      expect(kept).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(await session.rollback(5)).toMatchObject({ step: 5, kept: [2, 3, 4, 5], how: "kept", notes: [] });
      const look = await session.exec(LOOK);
      expect(look.result).toEqual([5, ["a.txt", "f1", "f2", "f3", "f4", "f5"], "step 5"]);
      expect((await session.rollback(2)).kept).toEqual([2]);
      expect((await session.exec("x")).result).toBe(2);
      await session.rollback();
      expect((await session.exec("x")).result).toBe(2);
    }));

  it("returns to the state before the first step", () =>
    withSession(async (session) => {
      await session.exec("x = 1\nopen('a.txt', 'w').write('a')");
      expect(await session.rollback(0)).toMatchObject({ step: 0, kept: [0] });
      const look = await session.exec("import os\nresult = ['x' in globals(), os.listdir('.')]");
      expect(look.result).toEqual([false, []]);
      await expect(session.rollback(99)).rejects.toMatchObject({ code: "input.invalid" });
    }));

  it("is recorded step by step, rollbacks too", () =>
    withSession(async (session) => {
      const first = await session.exec("x = 1");
      await session.rollback(0);
      const { runs } = await test.dock.runs.list({ limit: 2 });
      expect(runs.map((run) => [run.kind, run.sessionId, run.status])).toEqual([
        ["session", session.id, "succeeded"],
        ["session", session.id, "succeeded"],
      ]);
      expect((await test.dock.runs.events(runs[0]?.id ?? "")).map((event) => event.type)).toContain("step.rolled_back");
      expect(runs[1]?.id).toBe(first.runId);
    }));

  it("runs steps that were asked for at once one after the other", () =>
    withSession(async (session) => {
      await session.exec("x = []");
      const steps = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => session.exec(`import time\ntime.sleep(${0.06 - n / 100})\nx.append(${n})\nlist(x)`)),
      );
      expect(steps.map((step) => step.ok)).toEqual([true, true, true, true, true]);
      expect(steps[4]?.result).toEqual([1, 2, 3, 4, 5]);
    }));

  it("drops a step that is cancelled, before it starts or while it runs", () =>
    withSession(async (session) => {
      await session.exec("x = 1");
      const early = await session.exec("x = 2", { signal: AbortSignal.abort() });
      expect(early).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
      const stop = new AbortController();
      const cancelled = await session.exec("x = 3\nprint('up')\nimport time\ntime.sleep(40)", {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      });
      expect(cancelled).toMatchObject({ ok: false, stdout: "up\n", error: { code: "run.cancelled" } });
      expect((await session.exec("x")).result).toBe(1);
    }));

  it("returns figures and files as artifacts of the step that made them", () =>
    withSession(async (session) => {
      const drawn = await session.exec("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])");
      expect(drawn.artifacts.map((artifact) => artifact.mime)).toEqual(["image/png"]);
      const written = await session.exec("open('table.csv', 'w').write('a,b\\n1,2\\n')");
      expect(written.artifacts.map((artifact) => artifact.name)).toEqual(["table.csv"]);
      const neither = await session.exec("1");
      expect(neither.artifacts).toEqual([]);
    }));

  it("says that a thread of an earlier step does not run on", () =>
    withSession(async (session) => {
      await session.exec(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(30,), name='worker-1', daemon=True).start()",
      );
      expect((await session.exec("1")).notes.join()).toContain("worker-1");
    }));

  it("can be used through exec, which keeps its own promise", () =>
    withSession(async (session) => {
      await session.exec("x = 5");
      expect(await test.dock.exec({ session: session.id, code: "x + 1" })).toMatchObject({ ok: true, result: 6 });
      const unknown = await test.dock.exec({ session: "ses_none", code: "1" });
      expect(unknown).toMatchObject({ ok: false, error: { code: "session.not_found" } });
      await expect(test.dock.exec({ session: session.id, command: ["ls"] })).rejects.toMatchObject({
        code: "input.invalid",
      });
      await expect(test.node("1", { session: session.id })).rejects.toMatchObject({ code: "input.invalid" });
    }));

  it("sees nothing of another session", async () => {
    await withSession((first) =>
      withSession(async (second) => {
        await first.exec("x = 'first'\nopen('a.txt', 'w').write('first')\nopen('/tmp/t', 'w').write('first')");
        const look = await second.exec(
          "import os, builtins\nresult = ['x' in globals(), os.listdir('.'), os.listdir('/tmp'), hasattr(builtins, 'marker')]",
        );
        expect(look.result).toEqual([false, [], [], false]);
      }),
    );
  });
});

describe("a session whose disk has no room for the copy of its files", () => {
  it("goes on, says so, and keeps the files of later steps again", () =>
    withSession(
      async (session) => {
        await session.exec("open('a.txt', 'w').write('first')");
        const large = await session.exec("open('large', 'wb').write(bytes(20 << 20)); x = 1");
        expect(large).toMatchObject({ ok: true, notes: [expect.stringContaining("could not be kept")] });
        const small = await session.exec("import os\nos.remove('large')\nopen('a.txt', 'w').write('third'); x = 3");
        expect(small).toMatchObject({ ok: true, notes: [] });
        await session.exec("open('a.txt', 'w').write('fourth'); x = 4");
        // Its files were not kept, so that it is made again.
        await session.exec("open('a.txt', 'w').write('fifth'); x = 5");
        expect(await session.rollback(large.step)).toMatchObject({ how: "rebuilt" });
        expect((await session.exec("result = [x, open('a.txt').read()]")).result).toEqual([1, "first"]);
        await session.rollback(small.step);
        expect((await session.exec(LOOK)).result).toEqual([3, ["a.txt"], "third"]);
        for (let step = 0; step < 12; step++) await session.exec("open('large', 'wb').write(bytes(20 << 20))");
        const { kept } = await session.exec("x");
        expect(kept.length).toBeLessThanOrEqual(11);
      },
      { policy: { limits: { diskMb: 32 } } },
    ));
});
