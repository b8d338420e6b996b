import { expect } from "vitest";
import type { Dock } from "../../src/app/index.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

/** One fault: the text that is wrong, and what it has to become. */
export interface Fault {
  name: string;
  files: Files;
  cmd?: string;
  contains: string;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "a wrong operator",
    files: {
      "calc.py": "def add(a, b):\n    return a - b\n",
      "test_calc.py": "from calc import add\ndef test_add():\n    assert add(2, 3) == 5\n    assert add(0, 7) == 7\n",
    },
    contains: "return a + b",
  },
  {
    name: "a missing statement, with tabs and CRLF",
    files: {
      "words.py":
        "def unique(words):\r\n\tseen = set()\r\n\tfound = []\r\n\tfor word in words:\r\n\t\tif word not in seen:\r\n\t\t\tfound.append(word)\r\n\treturn found\r\n",
      "test_words.py":
        "from words import unique\ndef test_unique():\n    assert unique(['a', 'b', 'a']) == ['a', 'b']\n    assert unique(['x', 'x', 'x', 'y']) == ['x', 'y']\n",
    },
    // In the condition or after it: both are right, and both keep to tabs and line ends.
    contains: "\tseen.add(word)\r\n",
  },
  {
    name: "a return that stands too deep, by unittest",
    files: {
      "total.py":
        "def total(values):\n    result = 0\n    for value in values:\n        result += value\n        return result\n",
      "test_total.py":
        "import unittest\nfrom total import total\nclass TotalTest(unittest.TestCase):\n    def test_many(self): self.assertEqual(total([1, 2, 3]), 6)\n    def test_one(self): self.assertEqual(total([4]), 4)\n",
    },
    cmd: "python3 -m unittest",
    contains: "\n    return result",
  },
  {
    name: "a missing colon",
    files: {
      "sign.py": "def sign(n):\n    if n < 0\n        return -1\n    return 1\n",
      "test_sign.py": "from sign import sign\ndef test_sign():\n    assert sign(-2) == -1\n    assert sign(3) == 1\n",
    },
    contains: "if n < 0:",
  },
  {
    name: "a missing colon in one module of several, whose other tests pass",
    files: {
      "sign.py": "def sign(n):\n    if n < 0\n        return -1\n    return 1\n",
      "test_sign.py": "from sign import sign\ndef test_sign():\n    assert sign(-2) == -1\n    assert sign(3) == 1\n",
      "calc.py": "def add(a, b):\n    return a + b\n",
      "test_calc.py": "from calc import add\ndef test_add():\n    assert add(2, 3) == 5\n",
    },
    contains: "if n < 0:",
  },
  {
    name: "a wrong name that keeps one of several test files from loading, by unittest",
    files: {
      "total.py": "START = 0\nFIRST = STRAT\ndef total(values):\n    return sum(values, FIRST)\n",
      "test_total.py":
        "import unittest\nfrom total import total\nclass TotalTest(unittest.TestCase):\n    def test_many(self): self.assertEqual(total([1, 2, 3]), 6)\n",
      "test_plain.py":
        "import unittest\nclass PlainTest(unittest.TestCase):\n    def test_sum(self): self.assertEqual(1 + 1, 2)\n",
    },
    cmd: "python3 -m unittest",
    contains: "FIRST = ",
  },
  {
    name: "a wrong constant of the module, by a program of its own",
    files: {
      "rates.py": "RATE = 20\ndef tax(amount):\n    return amount * RATE // 100\n",
      "check.py": "from rates import tax\nassert tax(100) == 19, tax(100)\nassert tax(200) == 38\n",
    },
    cmd: "python3 check.py",
    contains: "RATE = 19",
  },
  {
    name: "a fault that a command of the shell shows",
    files: {
      "greet.py":
        "import sys\ndef greet(name):\n    return 'Hello ' + name.lower()\nif __name__ == '__main__':\n    print(greet(sys.argv[1]))\n",
    },
    cmd: "python3 greet.py Ada | grep -qx 'Hello Ada'",
    contains: "'Hello ' + name",
  },
];

export async function mendFault(dock: Dock, { files, cmd = "pytest -q", contains }: Fault): Promise<void> {
  const outcome = await repair(dock, files, cmd, { limits: { seconds: 120, candidates: 400 } });
  expect(outcome).toMatchObject({ stopped: "found" });
  expect(outcome.found[0]?.writes[0]?.content).toContain(contains);
  expect(outcome.found[0]).toMatchObject({ edits: 1, tests: { failing: 0 } });
}
