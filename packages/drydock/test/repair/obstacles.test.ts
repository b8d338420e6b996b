import { describe, expect, it } from "vitest";
import { searchRepair } from "../../src/engine/repair/index.ts";
import { makeMutableTree } from "../strength/mutable-tree.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createDockRunner, POLICY } from "../verify/judge.ts";
import { repair } from "./search.ts";

const test = openTestDock();

describe("a search that can't begin says why", () => {
  it("where nothing in scope is source", async () => {
    const outcome = await repair(test.dock, { "notes.txt": "x\n" }, "grep -q y notes.txt");
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_source" }, found: [], tried: 0 });
  });

  it("where only tests, generated files or files out of scope could be changed", async () => {
    const files = {
      "dist/calc.py": "def add(a, b):\n    return a - b\n",
      "lib/calc.py": "def add(a, b):\n    return a - b\n",
      "test_calc.py":
        "import sys\nsys.path.insert(0, 'lib')\nfrom calc import add\ndef test_add(): assert add(1, 2) == 3\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q", { scope: ["dist/**", "test_*.py"] });
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_source" } });
  });

  it("where no check is a command", async () => {
    const checks = [{ type: "file_exists" as const, path: "b.txt" }];
    const outcome = await repair(test.dock, { "a.py": "x = 1\n" }, "", { checks });
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_command" } });
  });

  it("where all checks pass", async () => {
    const files = {
      "a.py": "def one(): return 1\n",
      "test_a.py": "from a import one\ndef test_one(): assert one() == 1\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "nothing_fails" } });
  });

  it("where no failing test executes what may be changed", async () => {
    const files = { "a.py": "def one(): return 1\n", "test_a.py": "def test_one(): assert 1 == 2\n" };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "not_reached" } });
  });

  it("where the source is no UTF-8, which a change would damage", async () => {
    const files = {
      "a.py": Buffer.from("# -*- coding: latin-1 -*-\n# M\xfcnchen\ndef one():\n    return 2\n", "latin1"),
      "test_a.py": "from a import one\ndef test_one(): assert one() == 1\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_source" }, found: [] });
    expect(outcome.reason?.message).toContain("(a.py)");
    expect(outcome.reason?.message).toContain("UTF-8");
  });

  it("where the source is larger than what is searched", async () => {
    const files = {
      "a.py": `def one():\n    return 2\n${"#".repeat(1 << 21)}\n`,
      "test_a.py": "from a import one\ndef test_one(): assert one() == 1\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome).toMatchObject({ stopped: "cannot", reason: { code: "no_source" } });
    expect(outcome.reason?.message).toContain("a.py");
    expect(outcome.reason?.message).toContain("2 MB");
  });

  it("before anything runs where it was cancelled", async () => {
    const tree = makeMutableTree({ "a.py": "def one(): return 2\n", "test_a.py": "def test_one(): assert False\n" });
    const outcome = await searchRepair(
      {
        ...{ tree, checks: [{ type: "command", cmd: "pytest -q" }], scope: ["**"], seed: 1 },
        ...{ limits: { seconds: 60, candidates: 10 }, signal: AbortSignal.abort() },
      },
      { runner: createDockRunner(test.dock), policy: POLICY, concurrency: 2 },
    );
    expect(outcome).toMatchObject({ stopped: "cancelled", found: [] });
  });
});
