import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

describe("dock.verify", () => {
  it("gives commands the same time zone, language and hash seed each time", async () => {
    const workspace = test.makeWorkspace({});
    const code = "import os, time, locale; print(time.tzname[0], os.environ.get('LC_ALL'), hash('a'))";
    const check = { type: "command", cmd: `python3 -c "${code}"` } as const;
    const outputs: unknown[] = [];
    for (const _ of [1, 2]) {
      const { checks } = await test.dock.verify({ checks: [check], workspace });
      outputs.push(checks[0]?.evidence.stdout);
    }
    expect(outputs[0]).toMatch(/^UTC C\.UTF-8 /);
    expect(outputs[1]).toBe(outputs[0]);
  });

  it("does not run compiled Python that lies in a test's place", async () => {
    const workspace = test.makeWorkspace({
      "test_a.py": "import unittest\nclass A(unittest.TestCase):\n    def test(self): self.fail()\n",
      "forge.py": [
        "import importlib._bootstrap_external as b, os, sys",
        "code = compile('import unittest', 'test_a.py', 'exec')",
        "name = f'__pycache__/test_a.{sys.implementation.cache_tag}.pyc'",
        "os.makedirs('__pycache__')",
        "data = b._code_to_hash_pyc(code, b'x' * 8, False)",
        "print(data.hex())",
        "print(name)",
      ].join("\n"),
    });
    const forged = await test.dock.exec({ command: ["python3", "forge.py"], workspace });
    const [hex = "", name = ""] = forged.stdout.split("\n");
    const poisoned = test.makeWorkspace({
      "test_a.py": readFileSync(join(workspace, "test_a.py")),
      [name]: Buffer.from(hex, "hex"),
    });
    const cmd = "python3 -m unittest test_a";
    const fooled = await test.dock.exec({ language: "bash", code: cmd, workspace: poisoned });
    expect(fooled.ok).toBe(true);
    const { verdict } = await test.dock.verify({ checks: [{ type: "command", cmd }], workspace: poisoned });
    expect(verdict).toBe("failed");
  });

  it.each([
    ["unittest", `python3 -c "import unittest; unittest.main(module=None, argv=['x', 'discover'], exit=False)"`],
    ["node", "node --test"],
  ])("does not pass where %s says that it ran no test", async (runner, cmd) => {
    const workspace = test.makeWorkspace({ "a.txt": "" });
    const { verdict, checks } = await test.dock.verify({ checks: [{ type: "command", cmd }], workspace });
    expect({ verdict, code: checks[0]?.code }).toEqual({ verdict: "failed", code: "no_tests" });
    expect(checks[0]?.reason).toContain(`and ${runner} ran no test`);
  });

  it("passes without a test where the command says so, or no test runner is known", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "" });
    const checks = ["node --test # --passWithNoTests", "cat a.txt"].map((cmd) => ({ type: "command", cmd }) as const);
    expect(await test.dock.verify({ checks, workspace })).toMatchObject({ verdict: "passed" });
  });

  it("judges again what changed while it was judged", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "1\n" });
    let disturbed = false;
    const result = await test.dock.verify({
      checks: [
        { type: "file_contains", path: "a.txt", needle: "1" },
        { type: "command", cmd: "cat a.txt" },
      ],
      workspace,
      onCheck: ({ type }) => {
        if (type === "file_contains" && !disturbed) appendFileSync(join(workspace, "a.txt"), "2\n");
        disturbed = true;
      },
    });
    expect(result).toMatchObject({ verdict: "passed", repeated: 1 });
    expect(result.checks[1]?.evidence.stdout).toBe("1\n2\n");
    expect(readdirSync(workspace)).toEqual(["a.txt"]);
  });

  it("refuses what can't be read, and cancels", async () => {
    const workspace = test.makeWorkspace({});
    const wrong = test.dock.verify({ checks: [{ type: "nonsense" } as never], workspace });
    await expect(wrong).rejects.toMatchObject({ code: "input.invalid" });
    await expect(test.dock.verify({ checks: [], workspace })).rejects.toMatchObject({ code: "input.invalid" });
    const signal = AbortSignal.timeout(300);
    const check = { type: "command", cmd: "python3 -c 'import time; time.sleep(30)'" } as const;
    await expect(test.dock.verify({ checks: [check], workspace, signal })).rejects.toMatchObject({
      code: "run.cancelled",
    });
    const [last] = (await test.dock.runs.list({ limit: 1 })).runs;
    expect(last).toMatchObject({ kind: "verify", status: "cancelled", verdict: "unverified" });
  });
});
