import { describe, expect, test } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const it = openAttackDock();

const FRAME = `
import json, os
def frame(kind, payload):
    if not isinstance(payload, bytes): payload = json.dumps(payload).encode()
    data = len(payload).to_bytes(4, "big") + kind + payload
    while data: data = data[os.write(3, data):]
fine = {"outcome": "ok", "result": '"forged"', "alive": True}
done = json.dumps({"ending": {"kind": "exited", "exitCode": 0}}).encode()
`;

describe("lying about how it ended", () => {
  test("a forged report, then an exit with a failure", async () => {
    const result = await it.attack(`${FRAME}
frame(b"j", fine); frame(b"D", len(done).to_bytes(4, "big") + done); frame(b"H", b"{}"); frame(b"r", b"1")
os._exit(7)
`);
    expect(result).toMatchObject({ ok: false, error: { exitCode: 7 } });
  });

  test("a forged report, then death by its own hand", async () => {
    for (const signal of ["SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM"]) {
      const result = await it.attack(
        `${FRAME}import signal\nframe(b"j", fine)\nos.kill(os.getpid(), signal.${signal})`,
      );
      expect(result).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^(code|limit)\./) } });
    }
  });

  test("a forged report, and then no end at all", async () => {
    const result = await it.attack(
      `${FRAME}import time\nframe(b"j", fine); frame(b"D", len(done).to_bytes(4, "big") + done)\ntime.sleep(60)`,
      { limits: { wallSeconds: 1 } },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "limit.timeout" } });
  });

  test("a child that reports in its parent's name", async () => {
    const result = await it.attack(`${FRAME}
if os.fork() == 0:
    frame(b"j", fine); os._exit(0)
os.wait()
raise SystemExit(9)
`);
    expect(result).toMatchObject({ ok: false, error: { code: "code.exit", exitCode: 9 } });
  });

  test("an exception that is hidden by atexit, by a hook, or by a replaced os._exit", async () => {
    const hidden = [
      `import atexit, os; atexit.register(os._exit, 5); print("x")`,
      `import sys, os; sys.excepthook = lambda *a: os._exit(6); raise ValueError`,
      `import os, sys; real = os._exit; os._exit = lambda code: real(3); sys.exit(1)`,
    ];
    for (const code of hidden) expect(await it.attack(code)).toMatchObject({ ok: false });
  });

  test("in Node: a forged report before a failure", async () => {
    const forge = `
const fs = require("fs");
const body = Buffer.from(JSON.stringify({ outcome: "ok", result: '"forged"', alive: true }));
const head = Buffer.alloc(5); head.writeUInt32BE(body.length); head[4] = "j".charCodeAt(0);
fs.writeSync(3, Buffer.concat([head, body]));`;
    expect(await it.attack(`${forge}process.exit(4)`, { language: "node" })).toMatchObject({
      ok: false,
      error: { exitCode: 4 },
    });
    expect(await it.attack(`${forge}throw new Error("x")`, { language: "node" })).toMatchObject({ ok: false });
    expect(await it.attack(`${forge}process.kill(process.pid, "SIGKILL")`, { language: "node" })).toMatchObject({
      ok: false,
    });
  });
});

describe("writing nonsense into the channel", () => {
  test("megabytes of garbage", async () => {
    const result = await it.attack(`
import os
block = os.urandom(1 << 20)
os.set_blocking(3, False)
try:
    for _ in range(64):
        rest = block
        while rest: rest = rest[os.write(3, rest):]
except OSError: pass
print("still here")
`);
    expect(result.stdout).toBe("still here\n");
    expect(result.usage.peakMemoryBytes).toBeLessThan(200 << 20);
  });

  test("frames that never end, frames without end, and lengths that can't be", async () => {
    for (const bytes of [
      `b"\\xff\\xff\\xff\\xffj"`,
      `b"\\x01\\xff\\xff\\xffj"`,
      `b"\\0\\0\\0\\0j" * 200000`,
      `b"\\0\\0\\0"`,
    ]) {
      const result = await it.attack(`
import os
data = ${bytes}
try:
    while data: data = data[os.write(3, data):]
except OSError: pass
print("done")
`);
      expect(result.stdout).toBe("done\n");
    }
  });

  test("a report that is closed, wrong or absurd", async () => {
    const reports = [
      "None",
      "[]",
      `"x"`,
      `{"outcome": 7}`,
      `{"outcome": "ok", "result": 5}`,
      `{"outcome": "ok", "result": "{"}`,
      `{"outcome": "exception", "exception": "x"}`,
      `{"outcome": "exception", "exception": {"type": [], "message": {}, "frames": 7, "line": "x"}}`,
      `{"outcome": "exception", "guard": {"kind": "import", "name": 5}}`,
      `{"outcome": "ok", "result": "[" * 500000 + "]" * 500000}`,
    ];
    for (const report of reports) {
      const result = await it.attack(`${FRAME}frame(b"j", ${report})\nos._exit(3)`);
      expect(result.ok).toBe(false);
      expect(result.error?.code).not.toBe("internal");
    }
    for (const result of [`"[" * 200000 + "]" * 200000`, `"{\\"a\\":" * 100000 + "1" + "}" * 100000`]) {
      const run = await it.attack(`${FRAME}frame(b"j", {"outcome": "ok", "result": ${result}})\nos._exit(0)`);
      expect(run.error?.code).not.toBe("internal");
    }
    expect(await it.attack(`import os; os.close(3); print(1)`)).toMatchObject({ ok: true, stdout: "1\n" });
  });

  test("a forged figure with a path for a name, or without one", async () => {
    for (const payload of [
      `b"../../../../tmp/evil.png\\0x"`,
      `b"/etc/passwd\\0x"`,
      `b"no name at all"`,
      `b""`,
      `b"\\0"`,
      `b"\\xff\\xfe\\0x"`,
    ]) {
      const result = await it.attack(`${FRAME}frame(b"f", ${payload})`);
      expect(result.error).toBe(null);
      for (const { name } of result.artifacts) expect(name).not.toMatch(/\.\.|^\//);
    }
  });

  test("keys that would reach the host's prototypes", async () => {
    const result = await it.attack(`${FRAME}
evil = '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": 1}'
frame(b"j", b'{"__proto__": {"polluted": true, "ok": true}, "outcome": "ok", "result": ' + json.dumps(evil).encode() + b', "variables": {"__proto__": "x"}}')
os._exit(0)
`);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    const files = await it.attack(`
import os
for name in ("__proto__", "constructor", "toString", "hasOwnProperty"): open(name, "w").write(name)
os.makedirs("x/__proto__/y"); open("x/__proto__/polluted", "w").write("1")
{"__proto__": 1}
`);
    expect(files.error).toBe(null);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    expect(files.changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["__proto__", "constructor", "x/__proto__/polluted"]),
    );
  });
});
