import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

/** Writes into the pipes of every process that it can look into: what judges candidates reports through one of them. */
const PYTHON_FORGER = `import ctypes, os, signal, time

def say(text):
    for name in os.listdir("/proc"):
        try:
            if not name.isdigit() or int(name) == os.getpid():
                continue
            for number in os.listdir("/proc/%s/fd" % name):
                path = "/proc/%s/fd/%s" % (name, number)
                if os.readlink(path).startswith("pipe:"):
                    os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), text.encode())
        except OSError:
            pass

def lose_all():
    say("".join('\\n{"candidate": %d, "fixed": 0, "failing": 3, "late": false}\\n' % number for number in range(900)))

def go_on():
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try:
                os.kill(int(name), signal.SIGSTOP)
            except OSError:
                pass
    while True:
        say('{"beat": true}\\n')
        time.sleep(0.3)

def answer():
    for handle in range(3, 60):
        try:
            os.write(handle, b"0\\n")
        except OSError:
            pass

def swell():
    for handle in range(3, 60):
        try:
            os.truncate(handle, 1 << 45)
        except OSError:
            pass

def haunt():
    results = [handle for handle in range(3, 60) if os.path.lexists("/proc/self/fd/%d" % handle) and "results" in os.readlink("/proc/self/fd/%d" % handle)]
    if os.fork() == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
        if os.fork() == 0:
            while True:
                for handle in results:
                    os.pwrite(handle, bytes([2, 2, 2]), 0)
        os._exit(0)
`;

const SCRIPT_FORGER = `import fs from "node:fs";
import { spawn } from "node:child_process";
export function loseAll() {
  const text = Array.from({ length: 900 }, (_, candidate) => JSON.stringify({ candidate, fixed: 0, failing: 3, late: false }));
  for (const name of fs.readdirSync("/proc").filter((each) => /^\\d+$/.test(each) && Number(each) !== process.pid)) {
    try {
      for (const number of fs.readdirSync("/proc/" + name + "/fd")) {
        const path = "/proc/" + name + "/fd/" + number;
        if (fs.readlinkSync(path).startsWith("pipe:")) fs.writeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK), "\\n" + text.join("\\n") + "\\n");
      }
    } catch {}
  }
}
export function haunt() {
  spawn("sh", ["-c", "while :; do echo 'export const area = 0;' > area.js; done"], { detached: true, stdio: "ignore" }).unref();
}
`;

/**
 * Source in which a small edit sets something loose: the condition before it becomes true. The fault that has to be mended
 * stands below it.
 */
export const pythonWith = (harm: string): Files => ({
  "forge.py": PYTHON_FORGER,
  "area.py": `import os, sys, shutil, signal, time, forge\n\ndef area(width, height):\n    if width > 1000:\n        ${harm}\n    return width + height\n`,
  "test_area.py":
    "from area import area\n\ndef test_area():\n    assert area(2, 5) == 10\n\ndef test_line():\n    assert area(3, 1) == 3\n\ndef test_square():\n    assert area(2, 2) == 4\n",
});

export const scriptWith = (harm: string): Files => ({
  "package.json": '{ "type": "module" }',
  "forge.js": SCRIPT_FORGER,
  "area.js": `import assert from "node:assert/strict";\nimport fs from "node:fs";\nimport { haunt, loseAll } from "./forge.js";\nexport function area(width, height) {\n  if (width > 1000) {\n    ${harm}\n  }\n  return width + height;\n}\n`,
  "area.test.js": `import assert from "node:assert/strict";\nimport test from "node:test";\nimport { area } from "./area.js";\ntest("area", () => assert.equal(area(2, 5), 10));\ntest("line", () => assert.equal(area(3, 1), 3));\ntest("square", () => assert.equal(area(2, 2), 4));\ntest("row", () => assert.equal([1, 1].map((n) => area(n, 1)).join(), "1,1"));\n`,
});

export const PYTHON: [string, string][] = [
  ["kills the process that started it", "os.kill(os.getppid(), signal.SIGKILL)"],
  ["kills everything that it can reach", "os.kill(-1, signal.SIGKILL)"],
  ["starts processes without end", "[os.fork() or os.setsid() for _ in range(1 << 20)]"],
  ["fills the memory", "[bytearray(1 << 26) for _ in range(1 << 20)]"],
  ["deletes the tests and everything else", "shutil.rmtree(os.getcwd(), ignore_errors=True)"],
  ["never ends and does nothing", "time.sleep(1 << 20)"],
  ["stops the process that started it", "os.kill(os.getppid(), signal.SIGSTOP)"],
  ["ends as if all were well", "os._exit(0)"],
  ["says of all others that they fail", "forge.lose_all()"],
  ["stops the process that judges it, and says that it goes on", "forge.go_on()"],
  ["answers in the place of the process that started it", "forge.answer()"],
  ["makes its results endless", "forge.swell()"],
  ["leaves a process that is invisible, and marks the tests of others as failed", "forge.haunt()"],
  ["makes every test pass", "sys.modules['_pytest.runner'].runtestprotocol = lambda *args, **names: []"],
];

export const SCRIPT: [string, string][] = [
  ["kills the process that started it", 'process.kill(process.ppid, "SIGKILL");'],
  ["deletes the tests", 'fs.rmSync("area.test.js", { force: true });'],
  ["ends as if all were well", "process.exit(0);"],
  ["says of all others that they fail", "loseAll();"],
  ["leaves a process of its own that rewrites the source", "haunt();"],
  ["replaces an assertion", 'assert.equal = () => { throw new Error("never"); };'],
  ["replaces a method of all lists", "Array.prototype.map = () => [];"],
  ["replaces the ways out of the process", "process.exit = process.kill = process.abort = () => {};"],
  ["gives the process another directory", 'process.chdir("/");'],
  ["fills the memory", "for (globalThis.kept = []; ; ) globalThis.kept.push(new Array(1e6).fill(1.5));"],
  ["empties the tests", 'fs.writeFileSync("area.test.js", "");'],
  ["never ends", "for (;;) globalThis.spin = (globalThis.spin ?? 0) + 1;"],
];

/** Searches with candidates that do this harm among them. */
export function tryHarm(python: [string, string][], script: [string, string][]): void {
  const test = openTestDock();
  it.each(python)(
    "%s",
    async (_, harm) => {
      const outcome = await repair(test.dock, pythonWith(harm), "pytest -q", {
        limits: { seconds: 150, candidates: 250 },
        scope: ["area.py"],
      });
      expect(outcome.stopped).toBe("found");
      expect(outcome.tried).toBeGreaterThan(20);
      expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
    },
    300_000,
  );

  it.each(script)(
    "in Node %s",
    async (_, harm) => {
      const outcome = await repair(test.dock, scriptWith(harm), "node --test", {
        limits: { seconds: 150, candidates: 200 },
        scope: ["area.js"],
      });
      expect(outcome.stopped).toBe("found");
      expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
    },
    300_000,
  );
}
