import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "./run-python.ts";

const HANGING = "class Hang:\n    def __repr__(self):\n        while True:\n            pass\n";
const RAISING = "class Bad:\n    def __repr__(self):\n        raise ValueError('no repr')\n";

const values: { title: string; value: string; limit?: number; expected: unknown }[] = [
  { title: "None", value: "result = None", expected: null },
  {
    title: "a nested structure",
    value: "result = {'a': [1, 2.5, True, (None, 'x')]}",
    expected: { a: [1, 2.5, true, [null, "x"]] },
  },
  { title: "text beyond ASCII", value: "result = 'größe 日本 😀'", expected: "größe 日本 😀" },
  {
    title: "keys as json writes them",
    value: "result = {1: 1, None: 2, False: 3, 1.5: 4}",
    expected: { 1: 1, null: 2, false: 3, "1.5": 4 },
  },
  {
    title: "keys that json has no words for",
    value: "result = {(1, 2): 3}",
    expected: { type: "dict", repr: "{(1, 2): 3}" },
  },
  {
    title: "not a number",
    value: "result = [float('nan'), float('-inf')]",
    expected: [
      { type: "float", repr: "nan" },
      { type: "float", repr: "-inf" },
    ],
  },
  { title: "a set", value: "result = {1}", expected: { type: "set", repr: "{1}" } },
  { title: "bytes", value: "result = b'\\xff'", expected: { type: "bytes", repr: "b'\\xff'" } },
  {
    title: "values without JSON inside a list, each by itself",
    value: "result = [1, {2}, 1j]",
    expected: [1, { type: "set", repr: "{2}" }, { type: "complex", repr: "1j" }],
  },
  {
    title: "a class of its own",
    value: "class A:\n    def __repr__(self): return 'an A'\nresult = A()",
    expected: { type: "__main__.A", repr: "an A" },
  },
  {
    title: "a date by its qualified type",
    value: "import datetime\nresult = datetime.date(2024, 1, 2)",
    expected: { type: "datetime.date", repr: "datetime.date(2024, 1, 2)" },
  },
  {
    title: "a counter as the dict it is",
    value: "import collections\nresult = collections.Counter('aab')",
    expected: { a: 2, b: 1 },
  },
  {
    title: "a named tuple as a list",
    value: "import collections\nresult = collections.namedtuple('P', 'x y')(1, 2)",
    expected: [1, 2],
  },
  {
    title: "a str whose methods lie",
    value: "class S(str):\n    def __str__(self): return 1\n    encode = None\nresult = S('x')",
    expected: "x",
  },
  {
    title: "a dict whose items lie",
    value:
      "class D(dict):\n    def items(self): raise KeyError\n    def __iter__(self): raise KeyError\nresult = D(a=1)",
    expected: { a: 1 },
  },
  {
    title: "a cycle",
    value: "result = [1]\nresult.append(result)",
    expected: [1, { type: "list", repr: "[1, [...]]" }],
  },
  { title: "the same list twice", value: "a = [1]\nresult = [a, a]", expected: [[1], [1]] },
  { title: "a lone surrogate", value: "result = ['\\ud800x', {'\\udfff': 1}]", expected: ["\ufffdx", { "\ufffd": 1 }] },
  {
    title: "a repr that raises",
    value: `${RAISING}result = [Bad()]`,
    expected: [{ type: "__main__.Bad", repr: "<repr failed: ValueError: no repr>" }],
  },
  {
    title: "a repr that never ends",
    value: `${HANGING}result = Hang()`,
    expected: { type: "__main__.Hang", repr: "<repr failed: it took longer than 0.2 s>" },
  },
  {
    title: "a repr that is no text",
    value: "class A:\n    __repr__ = lambda self: 3\nresult = A()",
    expected: { type: "__main__.A", repr: expect.stringContaining("<repr failed: TypeError") },
  },
  {
    title: "a repr that ends the program",
    value: "class A:\n    def __repr__(self): raise SystemExit(0)\nresult = A()",
    expected: { type: "__main__.A", repr: "<repr failed: SystemExit: 0>" },
  },
  {
    title: "a metaclass that refuses to tell the name",
    value:
      "class M(type):\n    def __getattribute__(cls, name): raise KeyError(name)\nclass A(metaclass=M):\n    def __repr__(self): return 'a'\nresult = A()",
    expected: { type: "__main__.A", repr: "a" },
  },
  {
    title: "an object whose __class__ lies",
    value: "class A:\n    __class__ = dict\n    def __repr__(self): return 'a'\nresult = A()",
    expected: { type: "__main__.A", repr: "a" },
  },
  {
    title: "an integer with more digits than Python prints",
    value: "result = 1 << 20000",
    expected: { type: "int", repr: `0x1${"0".repeat(5000)}` },
  },
  {
    title: "a long text beyond the limit",
    value: "result = 'x' * 5000",
    limit: 1000,
    expected: { type: "str", repr: expect.stringMatching(/^'x{400,}$/), truncated: true },
  },
  { title: "a limit that nothing fits into", value: "result = 'x' * 5000", limit: 10, expected: null },
];

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

describe("what a program leaves behind", () => {
  let answers: unknown[] = [];
  beforeAll(async () => {
    answers = await runPython<unknown[]>("results-driver.py", [...values, ...exceptions]);
  });

  it.each(values.map((test, index) => ({ ...test, index })))("a result: $title", ({ index, expected }) => {
    expect(JSON.parse(answers[index] as string)).toEqual(expected);
  });

  it.each(exceptions.map((test, index) => ({ ...test, index })))("tells $title", ({ index, expected }) => {
    expect(answers[values.length + index]).toMatchObject(expected);
  });

  it("has a SyntaxError of running code as an ordinary exception, without a place in the text", async () => {
    const [told] = await runPython<Record<string, unknown>[]>("results-driver.py", [
      { raises: "x = 1\neval('1 +')\n" },
    ]);
    expect(told).toMatchObject({ type: "SyntaxError", line: 2 });
    expect(told).not.toHaveProperty("syntax");
  });

  it("shows no frame of the kernel's own files", () => {
    for (const told of answers.slice(values.length)) {
      expect((told as { traceback: string }).traceback).not.toContain("driver.py");
    }
  });

  it("keeps deep, exponential and huge values within the limit", async () => {
    const huge = [
      "result = []\nfor _ in range(5000): result = [result]",
      "result = 'x'\nfor _ in range(80): result = [result, result]",
      "result = list(range(1_000_000))",
      "class A:\n    def __repr__(self): return 'x' * 10_000_000\nresult = A()",
      "result = {1, 2, (3, ('x' * 1_000_000,))}",
    ];
    const texts = await runPython<string[]>(
      "results-driver.py",
      huge.map((value) => ({ value, limit: 100_000 })),
    );
    for (const text of texts) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100_000);
      expect(JSON.parse(text)).not.toBeNull();
    }
  });

  it("has numpy's scalars as numbers and its arrays as what they print", async (test) => {
    const source =
      "try:\n    import numpy as np\n    result = [np.float64(1.5), np.int32(3), np.bool_(True), {np.int64(2): np.float32(0.5)}, np.float64('nan'), np.array([1])]\nexcept ImportError:\n    result = None";
    const [text] = await runPython<string[]>("results-driver.py", [{ value: source }]);
    const found: unknown = JSON.parse(text ?? "null");
    if (found === null) return test.skip();
    expect(found).toEqual([
      1.5,
      3,
      true,
      { 2: 0.5 },
      { type: "numpy.float64", repr: expect.stringContaining("nan") },
      { type: "numpy.ndarray", repr: "array([1])" },
    ]);
  });
});
