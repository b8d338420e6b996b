import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../../testing/run-python.ts";

const exceptions: { title: string; raises: string; expected: Record<string, unknown> }[] = [
  {
    title: "an exception with its line, column and frames",
    raises: "def f(x):\n    return 1 / x\n\nf(0)\n",
    expected: {
      type: "ZeroDivisionError",
      bases: ["ArithmeticError", "Exception"],
      message: "division by zero",
      line: 2,
      chain: [],
      traceback: expect.stringMatching(
        /^Traceback \(most recent call last\):\n {2}File "main.py", line 4, in <module>\n {4}f\(0\)\n {2}File "main.py", line 2/,
      ),
    },
  },
  {
    title: "an exception below a library's frames at the program's own line",
    raises: "import json\njson.loads('{')\n",
    expected: { type: "json.decoder.JSONDecodeError", line: 2 },
  },
  {
    title: "a chain of causes",
    raises: "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('bad') from e\n",
    expected: {
      type: "ValueError",
      message: "bad",
      line: 4,
      chain: ["KeyError"],
      traceback: expect.stringContaining("direct cause"),
    },
  },
  {
    title: "a suppressed context",
    raises: "try:\n    {}['a']\nexcept KeyError:\n    raise ValueError('bad') from None\n",
    expected: { chain: [] },
  },
  {
    title: "a chain that bites its tail",
    raises: "a, b = ValueError(1), KeyError(2)\na.__cause__, b.__cause__ = b, a\nraise a\n",
    expected: { type: "ValueError", chain: ["KeyError"] },
  },
  {
    title: "Python's suggestion for a name",
    raises: "counter = 1\nprint(countr)\n",
    expected: {
      type: "NameError",
      message: "name 'countr' is not defined. Did you mean: 'counter'?",
      line: 2,
      column: 7,
    },
  },
  {
    title: "a missing module",
    raises: "import nosuchmodule.part\n",
    expected: { type: "ModuleNotFoundError", bases: ["ImportError", "Exception"], module: "nosuchmodule" },
  },
  {
    title: "a system error with its number and path",
    raises: "open('/nosuch/file')\n",
    expected: { type: "FileNotFoundError", errno: 2, path: "/nosuch/file" },
  },
  { title: "a path in bytes", raises: "open(b'/nosuch/\\xff')\n", expected: { errno: 2, path: "/nosuch/\ufffd" } },
  {
    title: "text that can't be compiled",
    raises: "x = 1\ny = (2 +\n",
    expected: {
      type: "SyntaxError",
      message: "'(' was never closed",
      syntax: { file: "main.py", line: 2, column: 5, text: "y = (2 +" },
    },
  },
  {
    title: "an indentation error as a syntax error",
    raises: "if True:\nx = 1\n",
    expected: { type: "IndentationError", syntax: { file: "main.py", line: 2 } },
  },
  {
    title: "a memory error of a library by its base",
    raises: "class ArrayMemoryError(MemoryError): pass\nraise ArrayMemoryError('too big')\n",
    expected: { bases: ["MemoryError", "Exception"] },
  },
  {
    title: "a __str__ that raises",
    raises: "class E(Exception):\n    def __str__(self): raise KeyError(1)\nraise E()\n",
    expected: { type: "__main__.E", message: "<the exception's __str__ failed>", line: 3 },
  },
  {
    title: "a __str__ that never ends",
    raises: "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E()\n",
    expected: { type: "__main__.E", message: "<the exception's __str__ failed>", line: 4 },
  },
  {
    title: "attributes that raise",
    raises:
      "class E(OSError):\n    @property\n    def errno(self): raise KeyError\n    filename = errno\n    __traceback__ = errno\n    __cause__ = errno\nraise E(2, 'no', 'f')\n",
    expected: { type: "__main__.E", errno: 2, path: "f", line: 7 },
  },
  {
    title: "an endless recursion, shortened",
    raises: "def f():\n    f()\nf()\n",
    expected: { type: "RecursionError", line: 2, traceback: expect.stringContaining("more times]") },
  },
  {
    title: "a message of megabytes, cut",
    raises: "raise ValueError('x' * 10_000_000)\n",
    expected: { message: expect.stringMatching(/^x{8192}…$/) },
  },
  {
    title: "an exception under an event loop, without the loop's frames",
    raises: "import asyncio\nasync def f():\n    return 1 / 0\nawait f()\n",
    expected: {
      line: 3,
      traceback: expect.stringMatching(/^Traceback \(most recent call last\):\n {2}File "main.py", line 4/),
    },
  },
  {
    title: "nesting that Python can't compile as a fault of the text",
    raises: `x = ${"-".repeat(20_000)}1\n`,
    expected: { message: "the code is too deeply nested, or too long, to be compiled", syntax: { line: 1 } },
  },
];

describe("an exception that nobody caught", () => {
  let answers: unknown[] = [];
  beforeAll(async () => {
    answers = await runPython<unknown[]>("results-driver.py", exceptions);
  });

  it.each(exceptions.map((test, index) => ({ ...test, index })))("tells $title", ({ index, expected }) => {
    expect(answers[index]).toMatchObject(expected);
  });

  it("has a SyntaxError of running code as an ordinary exception, without a place in the text", async () => {
    const [reply] = await runPython<Record<string, unknown>[]>("results-driver.py", [
      { raises: "x = 1\neval('1 +')\n" },
    ]);
    expect(reply).toMatchObject({ type: "SyntaxError", line: 2 });
    expect(reply).not.toHaveProperty("syntax");
  });

  it("shows no frame of the kernel's own files", () => {
    for (const reply of answers) {
      expect((reply as { traceback: string }).traceback).not.toContain("driver.py");
    }
  });
});
