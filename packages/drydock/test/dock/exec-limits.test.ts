import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

async function endOf(code: string, limits: Record<string, number>, language: "python" | "node" | "bash" = "python") {
  return test.dock.exec({ language, code, policy: { limits } });
}

const PROCESSES = `
import os, time
for _ in range(4):
    if os.fork() == 0:
        WORK
        os._exit(0)
for _ in range(4): os.wait()
`;

describe("a limit that is reached ends the run with its own code and a hint", () => {
  it.each([
    ["python", "import time\ntime.sleep(60)"],
    ["node", "setTimeout(() => {}, 60000)"],
    ["bash", "sleep 60"],
    ["python", "import signal\nfor s in (15, 2, 1): signal.signal(s, signal.SIG_IGN)\nwhile True: pass"],
  ] as const)("timeout: %s %#", async (language, code) => {
    const run = await endOf(code, { wallSeconds: 0.5 }, language);
    expect(run.error).toMatchObject({ code: "limit.timeout" });
    expect(run.error?.hint).toContain("wallSeconds");
    expect(run.usage.wallMs).toBeGreaterThanOrEqual(500);
  });

  it.each([
    ["python", "while True: pass"],
    ["node", "while (true) {}"],
    ["bash", "while :; do :; done"],
    ["python", PROCESSES.replace("WORK", "\n        while True: pass")],
  ] as const)("cpu: %s %#", async (language, code) => {
    expect((await endOf(code, { cpuSeconds: 1, wallSeconds: 50 }, language)).error).toMatchObject({
      code: "limit.cpu",
    });
  });

  it.each([
    ["python", "x = []\nwhile True: x.append(bytearray(1 << 20))"],
    ["python", PROCESSES.replace("WORK", "x = bytearray(60 << 20); time.sleep(20)")],
    ["node", "const x = []; while (true) x.push(Buffer.alloc(1 << 20, 1))"],
    ["bash", "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo $x | wc -c"],
  ] as const)("memory: %s %#", async (language, code) => {
    const run = await endOf(code, { memoryMb: 128, wallSeconds: 40 }, language);
    expect(run.error).toMatchObject({ code: "limit.memory" });
    expect(run.error?.hint).toContain("memoryMb");
  });

  it.each([
    ["python", "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(30)"],
    [
      "python",
      "import threading, time\nfor _ in range(99): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()",
    ],
    ["python", "import subprocess\nx = [subprocess.Popen(['sleep', '20']) for _ in range(99)]"],
    ["bash", "exec sh -c 'for i in 1 2 3 4 5 6; do for j in 1 2 3 4 5 6; do sleep 20 & done; done; wait'"],
  ] as const)("processes: %s %#", async (language, code) => {
    const run = await endOf(code, { processes: 16, wallSeconds: 40 }, language);
    // A shell only says that it failed; without a control group nobody else has counted.
    const untold = language === "bash" && run.sandbox.level !== "cgroups";
    expect(run.error).toMatchObject({ code: untold ? "code.exit" : "limit.processes" });
  });

  it.each([
    ["python", "while True: print('x' * 1000)"],
    ["node", "while (true) console.log('x'.repeat(1000))"],
    ["bash", "yes"],
    ["python", "import os\nwhile True: os.write(2, b'x' * 65536)"],
  ] as const)("output: %s %#, and its head is kept", async (language, code) => {
    const run = await endOf(code, { outputMb: 0.25, wallSeconds: 40 }, language);
    expect(run.error).toMatchObject({ code: "limit.output" });
    expect(run.stdout.length + run.stderr.length).toBe(256 * 1024);
  });

  it.each([
    ["python", "with open('big', 'wb') as f:\n    while True: f.write(b'x' * (1 << 20))"],
    ["python", "i = 0\nwhile True:\n    open('f%d' % i, 'wb').write(b'x' * (1 << 20)); i += 1"],
    ["node", "const fs = require('node:fs'); for (let i = 0; ; i++) fs.writeFileSync('f' + i, Buffer.alloc(1 << 20))"],
    ["bash", "head -c 100000000 /dev/zero > big"],
    ["bash", "for i in $(seq 200); do head -c 1000000 /dev/zero > f$i || exit 1; done"],
    ["python", "open('/tmp/big', 'wb').write(b'x' * (64 << 20))"],
    ["python", "open('/dev/shm/big', 'wb').write(b'x' * (64 << 20))"],
  ] as const)("disk: %s %#", async (language, code) => {
    expect((await endOf(code, { diskMb: 8, wallSeconds: 40 }, language)).error).toMatchObject({ code: "limit.disk" });
  });

  it.each([
    ["python", "x = [open('/dev/null') for _ in range(999)]"],
    ["node", "const fs = require('node:fs'); for (let i = 0; i < 999; i++) fs.openSync('/dev/null')"],
  ] as const)("files: %s", async (language, code) => {
    expect((await endOf(code, { openFiles: 64, wallSeconds: 40 }, language)).error).toMatchObject({
      code: "limit.files",
    });
  });
});

describe("a limit that is not reached", () => {
  it("does not disturb: memory close below the cap, files close below theirs", async () => {
    const code =
      "x = bytearray(80 << 20)\nopen('f', 'wb').write(b'x' * (6 << 20))\nfs = [open('/dev/null') for _ in range(40)]\nlen(x)";
    expect(await endOf(code, { memoryMb: 128, diskMb: 8, openFiles: 64 })).toMatchObject({
      ok: true,
      result: 80 << 20,
    });
  });

  it("that a program met and survived is no failure", async () => {
    const code = "try:\n    x = [open('/dev/null') for _ in range(999)]\nexcept OSError:\n    result = 'met it'";
    expect(await endOf(code, { openFiles: 64 })).toMatchObject({ ok: true, result: "met it" });
  });

  it("leaves the next run alone after one was hit", async () => {
    await endOf("x = bytearray(1 << 30)\nx[::4096] = b'x' * len(x[::4096])", { memoryMb: 64 });
    expect(await test.python("'fine'")).toMatchObject({ ok: true, result: "fine" });
  });
});
