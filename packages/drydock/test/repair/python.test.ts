import type { Check } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

const test = openTestDock();

/** One fault each: the text that is wrong, and what it has to become. */
const FAULTS: { name: string; files: Files; cmd?: string; contains: string }[] = [
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

describe("a repair of Python source", () => {
  it.each(FAULTS)(
    "mends $name",
    async ({ files, cmd = "pytest -q", contains }) => {
      const outcome = await repair(test.dock, files, cmd, { limits: { seconds: 120, candidates: 400 } });
      expect(outcome).toMatchObject({ stopped: "found" });
      expect(outcome.found[0]?.writes[0]?.content).toContain(contains);
      expect(outcome.found[0]).toMatchObject({ edits: 1, tests: { failing: 0 } });
    },
    240_000,
  );

  it("mends what a command has to print", async () => {
    const files = { "greet.py": "print('Hello ' + 'Ada'.lower())\n" };
    const checks: Check[] = [{ type: "command_contains", cmd: "python3 greet.py", needle: "Hello Ada" }];
    const limits = { seconds: 120, candidates: 300 };
    const { stopped, found } = await repair(test.dock, files, "", { checks, limits });
    expect(stopped).toBe("found");
    expect(found.map(({ writes }) => writes[0]?.content)).toContain("print('Hello ' + 'Ada')\n");
  }, 240_000);

  it("looks first at the lines that only failing tests execute, and is the same for the same seed", async () => {
    const files: Files = {
      "shop.py":
        "def price(n):\n    return n * 3\ndef discount(n):\n    if n > 10:\n        return n - 2\n    return n\n",
      "test_shop.py":
        "from shop import price, discount\ndef test_price(): assert price(2) == 6\ndef test_low(): assert discount(5) == 5\ndef test_high(): assert discount(20) == 19\n",
    };
    const limits = { seconds: 120, candidates: 60 };
    const outcomes = [
      await repair(test.dock, files, "pytest -q", { limits }),
      await repair(test.dock, files, "pytest -q", { limits }),
    ];
    const [one, other] = outcomes.map(({ found, localisation }) => ({ found, localisation }));
    expect(one).toEqual(other);
    expect(one?.localisation).toMatchObject({ method: "coverage", tests: { passing: 2, failing: 1 } });
    expect(one?.localisation?.lines[0]).toMatchObject({ path: "shop.py", line: 5 });
  }, 240_000);

  it("shows an input on which repairs differ that all tests accept", async () => {
    const files: Files = {
      "near.py":
        "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n < high:\n        return high\n    return n\n",
      "test_near.py":
        "from near import clamp\ndef test_high(): assert clamp(9, 1, 5) == 5\ndef test_low(): assert clamp(0, 1, 5) == 1\n",
    };
    const { found, differ } = await repair(test.dock, files, "pytest -q", {
      limits: { seconds: 120, candidates: 300 },
    });
    expect(found.length).toBeGreaterThan(1);
    expect(differ?.input).toMatch(/^clamp\(/);
    expect(new Set(differ?.results.map(({ result }) => result)).size).toBeGreaterThan(1);
  }, 240_000);

  it("keeps the best so far where no single change is enough", async () => {
    const files: Files = {
      "two.py": "def first(n):\n    return n + 2\ndef second(n):\n    return sum(ord(c) for c in str(n))\n",
      "test_two.py":
        "from two import first, second\ndef test_first(): assert first(1) == 2\ndef test_second(): assert second(12) == 'twelve'\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q", { limits: { seconds: 40, candidates: 150 } });
    expect(outcome.found).toEqual([]);
    expect(outcome.bestPartial).toMatchObject({ tests: { passing: 1, failing: 1 } });
    expect(outcome.bestPartial?.diff).toContain("+    return n + 1");
  }, 240_000);

  it("mends two places where one change alone passes more tests than before", async () => {
    const files: Files = {
      "two.py": "def first(n):\n    return n + 2\ndef second(n):\n    return n - 2\n",
      "test_two.py":
        "from two import first, second\ndef test_first():\n    assert first(1) == 2\n    assert first(5) == 6\ndef test_second():\n    assert second(3) == 6\n    assert second(5) == 10\n",
    };
    const outcome = await repair(test.dock, files, "pytest -q");
    expect(outcome.found[0]).toMatchObject({ edits: 2 });
    expect(outcome.found[0]?.writes[0]?.content).toBe(
      "def first(n):\n    return n + 1\ndef second(n):\n    return n * 2\n",
    );
  }, 240_000);
});
