import { beforeAll, describe, expect, it } from "vitest";
import { runPython } from "../../testing/run-python.ts";

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
  {
    title: "whole numbers that a reader of JSON would change",
    value: "result = [2**53 - 1, -(2**53), 2**100, 10**400]",
    expected: [
      9007199254740991,
      { type: "int", repr: "-9007199254740992" },
      { type: "int", repr: "1267650600228229401496703205376" },
      { type: "int", repr: `1${"0".repeat(400)}` },
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

describe("what a program leaves behind", () => {
  let answers: unknown[] = [];
  beforeAll(async () => {
    answers = await runPython<unknown[]>("results-driver.py", values);
  });

  it.each(values.map((test, index) => ({ ...test, index })))("a result: $title", ({ index, expected }) => {
    expect(JSON.parse(answers[index] as string)).toEqual(expected);
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
