import { DrydockError } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { judge, judgeOne, POLICY } from "./judge.ts";

const test = openTestDock();
const SUITE = "def test_add():\n    from main import add\n    assert add(1, 2) == 3\n";
const broken = { "main.py": "def add(a, b):\n    return a - b\n", "test_main.py": SUITE };
const fixed = { ...broken, "main.py": "def add(a, b):\n    return a + b\n" };

describe("a check that would pass on anything", () => {
  it.each(["true || pytest", "pytest -q; exit 0", "pytest -q || true"])("%s is shown to prove nothing", async (cmd) => {
    const result = await judgeOne(test.dock, fixed, { type: "command", cmd }, { before: broken });
    expect(result).toMatchObject({ verdict: "passed", alsoPassesBefore: true });
  });

  it("is told apart from one that the change made pass", async () => {
    const cmd = "python3 -m pytest -q -p no:cacheprovider";
    const result = await judgeOne(test.dock, fixed, { type: "command", cmd }, { before: broken });
    expect(result).toMatchObject({ verdict: "passed", alsoPassesBefore: false });
  });

  it("is not looked at on the tree before where there is none; where nothing changed, it held before", async () => {
    const check = { type: "command", cmd: "true" } as const;
    const alone = await judgeOne(test.dock, fixed, check);
    const unchanged = await judgeOne(test.dock, fixed, check, { before: fixed });
    expect([alone.alsoPassesBefore, unchanged.alsoPassesBefore]).toEqual([undefined, true]);
  });
});

describe("what takes too much", () => {
  it("a pattern that takes exponential time does not hold the host up", async () => {
    const files = { "a.txt": `${"a".repeat(40)}!` };
    let ticks = 0;
    const timer = setInterval(() => ticks++, 50);
    const result = await judgeOne(test.dock, files, { type: "file_matches", path: "a.txt", pattern: "^(a+)+$" });
    clearInterval(timer);
    expect(result).toMatchObject({ verdict: "failed", code: "pattern_timeout" });
    expect(ticks).toBeGreaterThan(5);
  });

  it("output without end is cut off, and its tail is short", async () => {
    const cmd = "python3 -c 'while True: print(\"x\" * 1000)'";
    const result = await judgeOne(test.dock, fixed, { type: "command", cmd });
    expect(result).toMatchObject({ verdict: "failed", code: "output" });
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
  });

  it("much output leaves its end as evidence", async () => {
    const cmd = "python3 -c 'for i in range(200000): print(i)'";
    const result = await judgeOne(test.dock, fixed, { type: "command", cmd });
    expect(result.verdict).toBe("passed");
    expect(result.evidence.stdout).toMatch(/199998\n199999\n$/);
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
  });

  it("a time that a check asks for does not exceed the policy's", async () => {
    const policy = { ...POLICY, limits: { ...POLICY.limits, wallSeconds: 1 } };
    const check = { type: "command", cmd: "python3 -c 'import time; time.sleep(30)'", timeout: 1e9 } as const;
    const result = await judgeOne(test.dock, fixed, check, { policy });
    expect(result).toMatchObject({
      code: "timeout",
      reason: `${JSON.stringify(check.cmd)} did not finish within 1 s.`,
    });
  });
});

describe("odd trees and texts", () => {
  it("a symlink that leads out of the tree is not followed", async () => {
    const files = {
      passwd: ["/etc/passwd"],
      up: ["../../../../etc/hostname"],
      loop: ["loop"],
      "d/x": ["../passwd"],
    } as const;
    const tree = Object.fromEntries(Object.entries(files).map(([path, [target]]) => [path, [target] as [string]]));
    for (const path of Object.keys(files)) {
      const contains = await judgeOne(test.dock, tree, { type: "file_contains", path, needle: "root" });
      expect(contains).toMatchObject({ verdict: "failed", code: "symlink_outside" });
      const exists = await judgeOne(test.dock, tree, { type: "file_exists", path });
      expect(exists).toMatchObject({ verdict: "failed", code: "symlink_outside" });
    }
    const python = await judgeOne(test.dock, tree, { type: "python", expression: "'root' in tree.read('passwd')" });
    expect(python).toMatchObject({ verdict: "failed", code: "exception" });
  });

  it("a needle with control characters is found, and shown escaped", async () => {
    const needle = "\u001b[31mred\u0000";
    const files = { "a.bin": `x${needle}y` };
    const found = await judgeOne(test.dock, files, { type: "file_contains", path: "a.bin", needle });
    expect(found).toMatchObject({ verdict: "passed", reason: 'a.bin contains "\\u001b[31mred\\u0000".' });
    const cmd = "python3 -c 'print(\"\\x1b[31mred\\x00\")'";
    expect(await judgeOne(test.dock, files, { type: "command_contains", cmd, needle })).toMatchObject({
      verdict: "passed",
    });
  });

  it("modules of the tree do not stand in for those of a check", async () => {
    const files = {
      "json.py": "loads = dumps = lambda *a: {'holds': True}",
      "http/__init__.py": "",
      "socket.py": "1/0",
    };
    expect(await judgeOne(test.dock, files, { type: "python", expression: "json.loads('{}') == 1" })).toMatchObject({
      code: "false",
    });
    const start = "python3 -I -m http.server 8123";
    const check = { type: "http_check", url: "http://127.0.0.1:8123/none", start } as const;
    expect(await judgeOne(test.dock, files, check)).toMatchObject({ code: "status" });
  });

  it("a command beside a service can't speak for the judge", async () => {
    const cmd = 'python3 -c \'import sys; print("\\ndrydock-check-0 {\\"exitCode\\": 0}", file=sys.stderr); exit(1)\'';
    const result = await judgeOne(test.dock, fixed, { type: "command", cmd, start: "python3 -m http.server 8123" });
    expect(result).toMatchObject({ verdict: "failed", code: "exit_code", evidence: { exitCode: 1 } });
  });
});

describe("what is no finding", () => {
  it("a check that is cancelled is thrown", async () => {
    const controller = new AbortController();
    const cmd = "python3 -c 'import time; time.sleep(30)'";
    setTimeout(() => controller.abort(), 300);
    const judging = judge(test.dock, fixed, [{ type: "command", cmd }], { signal: controller.signal });
    await expect(judging).rejects.toMatchObject({ code: "run.cancelled" });
    await expect(judging).rejects.toBeInstanceOf(DrydockError);
  });
});
