import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();

describe("the result", () => {
  it("is the variable `result` where it is set, whatever the last expression is", async () => {
    expect(await test.python("result = {'a': [1, 2.5, None, True]}\n42")).toMatchObject({
      ok: true,
      error: null,
      result: { a: [1, 2.5, null, true] },
      stdout: "",
      stderr: "",
    });
  });

  it("is the value of the last expression otherwise, and is not printed", async () => {
    expect(await test.python("x = 20\nx + 1")).toMatchObject({ ok: true, result: 21, stdout: "" });
  });

  it("is null where the last statement is no expression", async () => {
    expect(await test.python("x = 20")).toMatchObject({ ok: true, result: null });
  });

  it("is null where `result` was set to None, even after other expressions", async () => {
    expect((await test.python("result = None\n42")).result).toBeNull();
  });

  it("is { type, repr } where JSON can't hold it", async () => {
    expect((await test.python("{1, 2}")).result).toEqual({ type: "set", repr: "{1, 2}" });
    expect((await test.python("class A:\n  def __repr__(self): return 'an A'\nA()")).result).toEqual({
      type: "__main__.A",
      repr: "an A",
    });
    expect((await test.python("float('nan')")).result).toEqual({ type: "float", repr: "nan" });
  });

  it("survives a repr that raises", async () => {
    const run = await test.python("class A:\n  def __repr__(self): raise ValueError('no')\nA()");
    expect(run.ok).toBe(true);
    expect(run.result).toMatchObject({ type: "__main__.A", repr: expect.stringContaining("repr failed") });
  });

  it("is kept when the program leaves with sys.exit(0) after setting it", async () => {
    expect(await test.python("import sys\nresult = 5\nsys.exit(0)")).toMatchObject({ ok: true, result: 5 });
  });

  it("carries text of any script, quotes and control characters", async () => {
    const text = "naïve 日本 🚢 \"'\\\n\t\u0001";
    expect((await test.python(`result = ${JSON.stringify(text)}`)).result).toBe(text);
  });
});

describe("the end of a program", () => {
  it.each([
    ["sys.exit(0)", true, undefined],
    ["sys.exit()", true, undefined],
    ["sys.exit(7)", false, 7],
    ["sys.exit('bad')", false, 1],
    ["sys.exit(256 + 3)", false, 3],
    ["raise SystemExit(9)", false, 9],
    ["import os; os._exit(5)", false, 5],
  ])("%s", async (code, ok, exitCode) => {
    const run = await test.python(`import sys\n${code}`);
    expect(run.ok).toBe(ok);
    if (!ok) expect(run.error).toMatchObject({ code: "code.exit", exitCode });
  });

  it("names an exception with its line, and prints the traceback as the interpreter does", async () => {
    const run = await test.python("def f():\n    return 1 / 0\n\nf()");
    expect(run.error).toMatchObject({ code: "code.exception", line: 2 });
    expect(run.error?.message).toContain("ZeroDivisionError");
    expect(run.error?.hint).not.toBe("");
    expect(run.stderr).toContain("Traceback (most recent call last)");
    expect(run.stderr).not.toContain("kernel");
  });

  it("names a syntax error with line and column", async () => {
    const run = await test.python("x = 1\ny = (2 +\n");
    expect(run.error).toMatchObject({ code: "code.syntax", line: 2, column: expect.any(Number) });
  });

  it("names a missing module and says what to do", async () => {
    const run = await test.python("import module_that_is_nowhere");
    expect(run.error).toMatchObject({ code: "code.import_missing", line: 1 });
    expect(run.error?.message).toContain("module_that_is_nowhere");
    expect(run.error?.hint.length).toBeGreaterThan(10);
  });

  it("tells a crash of the interpreter from an exception", async () => {
    const run = await test.python("import ctypes\nprint('before', flush=True)\nctypes.string_at(0)");
    expect(run.error).toMatchObject({ code: "code.crash" });
    expect(run.stdout).toBe("before\n");
  });

  it("is not the program's to lie about: a forked child that exits well does not make it succeed", async () => {
    const run = await test.python("import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nraise SystemExit(4)");
    expect(run.error).toMatchObject({ code: "code.exit", exitCode: 4 });
  });
});

describe("a program in Python", () => {
  it("may await at the top level", async () => {
    const run = await test.python(
      "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 3\nawait f()",
    );
    expect(run).toMatchObject({ ok: true, result: 3 });
  });

  it("is __main__, and finds what pickle and dataclasses look for there", async () => {
    const code = [
      "import pickle, dataclasses",
      "@dataclasses.dataclass",
      "class P:\n    x: int",
      "assert __name__ == '__main__'",
      "pickle.loads(pickle.dumps(P(3))).x",
    ].join("\n");
    expect(await test.python(code)).toMatchObject({ ok: true, result: 3 });
  });

  it("gets its name and arguments", async () => {
    const run = await test.python("import sys\nsys.argv + [__file__]", { filename: "job.py", args: ["-v", "näh"] });
    expect(run.result).toEqual(["job.py", "-v", "näh", "job.py"]);
    const failed = await test.python("1 / 0", { filename: "job.py" });
    expect(failed.stderr).toContain('File "job.py", line 1');
  });

  it("sees an environment of our making: nothing of the host's beyond the list", async () => {
    process.env.DOCK_TEST_SECRET = "do-not-show";
    try {
      const run = await test.python("import os\nresult = dict(os.environ)");
      expect(run.result).toMatchObject({ HOME: "/home/dock", LANG: expect.any(String) });
      expect(Object.keys(run.result as object)).not.toContain("DOCK_TEST_SECRET");
      expect(JSON.stringify(run)).not.toContain("do-not-show");
    } finally {
      delete process.env.DOCK_TEST_SECRET;
    }
  });

  it("starts in an empty directory, and its files come back", async () => {
    const run = await test.python("import os\nbefore = os.listdir('.')\nopen('out.csv', 'w').write('a,b\\n')\nbefore");
    expect(run.result).toEqual([]);
    expect(run.changes).toEqual([{ path: "out.csv", kind: "added" }]);
    const [artifact] = run.artifacts;
    expect(artifact).toMatchObject({ name: "out.csv", mime: "text/csv", size: 4 });
    expect(Buffer.from(await test.dock.runs.readArtifact(artifact?.id ?? "")).toString()).toBe("a,b\n");
  });

  it("returns a figure that was drawn and not saved", async () => {
    const run = await test.python("import matplotlib.pyplot as plt\nplt.bar(['a', 'b'], [1, 2])\nplt.show()");
    expect(run.ok).toBe(true);
    const [figure] = run.artifacts;
    expect(figure).toMatchObject({ name: "figure-1.png", mime: "image/png" });
    const bytes = Buffer.from(await test.dock.runs.readArtifact(figure?.id ?? ""));
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  });
});

describe("every run", () => {
  it("is in the ledger with its end, its output and its policy", async () => {
    const run = await test.python("print('to be found again')\nraise ValueError('x')");
    expect(await test.dock.runs.get(run.runId)).toMatchObject({ status: "failed", errorCode: "code.exception" });
    const events = await test.dock.runs.events(run.runId);
    expect(events.map((event) => event.type)).toEqual(["run.created", "output.recorded", "run.failed"]);
    expect(events[0]?.data).toMatchObject({ policy: { limits: { memoryMb: 512 } } });
    expect(events[1]?.data).toMatchObject({ stdout: "to be found again\n" });
    expect((await test.dock.audit.verify()).ok).toBe(true);
  });

  it("tells what it used and how it was contained", async () => {
    const run = await test.python("x = bytearray(50_000_000)\nsum(range(2_000_000))");
    expect(run.usage.wallMs).toBeGreaterThan(0);
    expect(run.usage.cpuMs).toBeGreaterThan(0);
    expect(run.usage.peakMemoryBytes).toBeGreaterThan(50_000_000);
    expect(run.sandbox).toMatchObject({ backend: "namespaces" });
    expect(["cgroups", "rlimits"]).toContain(run.sandbox.level);
  });
});

it.each([undefined, null, "print(1)"])("a request that is %j is refused by its code", async (request) => {
  await expect(test.dock.exec(request as never)).rejects.toMatchObject({ code: "input.invalid" });
});
