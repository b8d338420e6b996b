import { describe, expect, it } from "vitest";
import { openWitness } from "./witness.ts";

const witness = openWitness();
const CHECK =
  "import unittest\nfrom answer import answer\n\n\nclass AnswerTest(unittest.TestCase):\n    def test_answer(self):\n        self.assertEqual(answer(49), 7)\n";

function inClass(method: string, base = "", make = "Answer(n)"): Record<string, string> {
  return {
    "test_answer.py": CHECK,
    "answer.py": `class Answer${base}:\n    ${method.replaceAll("\n", "\n    ")}\n\n\ndef answer(n):\n    return ${make}\n`,
  };
}

const INIT = "def __init__(self, n):\n    self.n = n\n\n";
const JUDGES = inClass(`${INIT}def __eq__(self, other):\n    return other * other == self.n`);
const HOLDS = inClass(`${INIT}def __eq__(self, other):\n    return self.n == other`, "", "Answer(round(n ** 0.5))");
const PLAIN = { "test_answer.py": CHECK, "answer.py": "def answer(n):\n    return round(n ** 0.5)\n" };

describe("operators of a class of the workspace", () => {
  it("are told, with where they were written", async () => {
    const { operators } = await witness.report(JUDGES, "python3 -m unittest -q", { mode: "record" });
    expect(operators).toEqual([{ owner: "Answer", file: "answer.py", name: "__eq__", first: 5, last: 6 }]);
  });

  it("are told of a class that a function makes, and of one that says it is another", async () => {
    const files = inClass(
      "def __init__(self, n):\n    self.n = n\n\n__class__ = int",
      "",
      "type('Sum', (int,), {'__lt__': print})(7)",
    );
    const { operators } = await witness.report(files, "python3 -m unittest -q", { mode: "record" });
    expect(operators.map(({ owner, name }) => `${owner}.${name}`).sort()).toEqual(["Answer.__class__", "Sum.__lt__"]);
  });

  it("are none where there are none", async () => {
    const { operators } = await witness.report(PLAIN, "python3 -m unittest -q", { mode: "record" });
    expect(operators).toEqual([]);
  });
});

describe("who decided over a comparison", () => {
  it.each([
    ["computes with the other side", JUDGES],
    [
      "looks at its own kind first",
      inClass(
        `${INIT}def __eq__(self, other):\n    return self.n == other.n if type(other) is Answer else other ** 2 == self.n`,
      ),
    ],
    [
      "asks somebody else",
      inClass(
        `${INIT}__eq__ = lambda self, other: judge(self.n, other)`,
        "",
        "Answer(n)\n\n\ndef judge(n, other):\n    return n == other ** 2",
      ),
    ],
    [
      "is a number that equals others",
      inClass("def __eq__(self, other):\n    return other * other == int(self)", "(int)"),
    ],
    [
      "lets a difference be nothing",
      {
        ...inClass("def __sub__(self, other):\n    return 0.0", "(float)"),
        "test_answer.py": CHECK.replace("assertEqual", "assertAlmostEqual"),
      },
    ],
  ])("is told where an answer %s", async (_what, files) => {
    const { decided, exitCode } = await witness.report(files, "python3 -m unittest -q", { mode: "decisions" });
    expect({ decided, exitCode }).toEqual({
      decided: [{ owner: "Answer", file: "answer.py", asker: "test_answer.py" }],
      exitCode: 0,
    });
  });

  it.each([
    ["holds the value", HOLDS],
    [
      "is a number of that value",
      inClass("def __eq__(self, other):\n    return int(self) == other", "(int)", "Answer(round(n ** 0.5))"),
    ],
    ["has no operators", PLAIN],
    [
      "is compared with its own kind",
      {
        ...inClass(`${INIT}def __eq__(self, other):\n    return self.n == other.n`),
        "test_answer.py": CHECK.replace("7)", "answer(49))"),
      },
    ],
  ])("is not told where an answer %s", async (_what, files) => {
    const { decided, exitCode } = await witness.report(files, "python3 -m unittest -q", { mode: "decisions" });
    expect({ decided, exitCode }).toEqual({ decided: [], exitCode: 0 });
  });
});
