import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

/**
 * Source in which a small edit sets something loose: the condition before it becomes true. The fault that has to be mended
 * stands below it.
 */
export const pythonWith = (harm: string): Files => ({
  "area.py": `import os, sys, shutil, signal, time\n\ndef area(width, height):\n    if width > 1000:\n        ${harm}\n    return width + height\n`,
  "test_area.py":
    "from area import area\n\ndef test_area():\n    assert area(2, 5) == 10\n\ndef test_line():\n    assert area(3, 1) == 3\n\ndef test_square():\n    assert area(2, 2) == 4\n",
});

export const scriptWith = (harm: string): Files => ({
  "package.json": '{ "type": "module" }',
  "area.js": `import fs from "node:fs";\nexport function area(width, height) {\n  if (width > 1000) {\n    ${harm}\n  }\n  return width + height;\n}\n`,
  "area.test.js": `import assert from "node:assert/strict";\nimport test from "node:test";\nimport { area } from "./area.js";\ntest("area", () => assert.equal(area(2, 5), 10));\ntest("line", () => assert.equal(area(3, 1), 3));\ntest("square", () => assert.equal(area(2, 2), 4));\n`,
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
  ["makes every test pass", "sys.modules['_pytest.runner'].runtestprotocol = lambda *args, **names: []"],
];

export const SCRIPT: [string, string][] = [
  ["kills the process that started it", 'process.kill(process.ppid, "SIGKILL");'],
  ["deletes the tests", 'fs.rmSync("area.test.js", { force: true });'],
  ["ends as if all were well", "process.exit(0);"],
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
      });
      expect(outcome.stopped).toBe("found");
      expect(outcome.found[0]?.writes[0]?.content).toContain("return width * height");
    },
    300_000,
  );
}
