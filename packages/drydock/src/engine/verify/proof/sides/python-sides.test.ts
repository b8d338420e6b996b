import { describe, expect, it } from "vitest";
import { sideOf } from "./testing/side-of.ts";

const HEAD = "from calc import add\n";

describe("on the test side of a Python test is", () => {
  it.each([
    ["a reference", "ref", "from ref import slow\ndef test():\n    assert add(1, 2) == slow(1, 2)"],
    ["a constant", "ref", "from ref import WANT\ndef test():\n    assert add(1, 2) == WANT"],
    [
      "a constant that is written first and says so",
      "ref",
      "import ref\ndef test():\n    assert ref.EXPECTED == add(1, 2)",
    ],
    ["a table of cases", "cases", "from cases import CASES\nfor a, b, want in CASES:\n    assert add(a, b) == want"],
    [
      "a table whose wanted value stands first",
      "cases",
      "import cases\nfor a, want in cases.ALL:\n    assert want == add(a, 1)",
    ],
    [
      "a table of parameters",
      "cases",
      "import pytest\nfrom cases import CASES\n@pytest.mark.parametrize('a, want', CASES)\ndef test(a, want):\n    assert add(a, 1) == want",
    ],
    [
      "a table of inputs alone",
      "cases",
      "import pytest\nfrom cases import BAD\nfor text in BAD:\n    with pytest.raises(ValueError):\n        add(text, 1)",
    ],
    [
      "a loader of cases",
      "loader",
      "from loader import load\ndef test():\n    for a, b, want in load('x'):\n        assert add(a, b) == want",
    ],
    [
      "what is zipped with results",
      "ref",
      "from ref import WANT\ndef test():\n    for got, want in zip(add(1, 2), WANT):\n        assert got == want",
    ],
    [
      "what a variable holds",
      "ref",
      "import ref\ndef test():\n    want = ref.slow(1, 2)\n    got = add(1, 2)\n    assert got == want",
    ],
    [
      "what unittest compares with",
      "ref",
      "import unittest, ref\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add(1, 2), ref.slow(1, 2))",
    ],
    [
      "what setUp prepares",
      "ref",
      "import unittest, ref\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.want = ref.slow()\n    def test(self):\n        self.assertEqual(add(1, 2), self.want)",
    ],
    [
      "what a fixture returns",
      "ref",
      "import pytest, ref\n@pytest.fixture\ndef want():\n    return ref.slow()\ndef test(want):\n    assert add(1, 2) == want",
    ],
    ["what must be part of a result", "ref", "import ref\ndef test():\n    assert ref.WORD in add(1, 2)"],
    ["a threshold", "limits", "import limits\ndef test():\n    assert add(1, 2) >= limits.LEAST"],
    [
      "what is compared nearly",
      "ref",
      "import pytest, ref\ndef test():\n    assert add(1, 2) == pytest.approx(ref.slow(1, 2))",
    ],
    [
      "what is compared in a comprehension",
      "ref",
      "import ref\ndef test():\n    assert all(add(a, 1) == ref.slow(a, 1) for a in range(3))",
    ],
    ["an asserter", "kit", "from kit import same\ndef test():\n    same(add(1, 2), 3)"],
    ["an asserter that is awaited", "kit", "from kit import same\nasync def test():\n    await same(add(1, 2), 3)"],
    [
      "a base class of a test class",
      "mixins",
      "import unittest\nfrom mixins import Sums\nclass T(Sums, unittest.TestCase):\n    def test(self):\n        self.assertSum(add(1, 2), 3)",
    ],
    ["a decorator of a test", "markers", "from markers import quiet\n@quiet\ndef test():\n    assert add(1, 2) == 3"],
    ["what a script fails by", "ref", "import ref, sys\nif add(1, 2) != ref.WANT:\n    sys.exit(1)"],
    [
      "what a helper of the test compares with",
      "ref",
      "import ref\ndef check(got, want):\n    assert got == want\ndef test():\n    check(add(1, 2), ref.slow(1, 2))",
    ],
    [
      "what unittest looks for in a result",
      "ref",
      "import unittest, ref\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertIn(ref.WORD, add(1, 2))",
    ],
  ])("%s", async (_, name, text) => {
    expect(await sideOf("test_a.py", `${HEAD}${text}\n`, name)).toBe("test side");
    expect(await sideOf("test_a.py", `${HEAD}${text}\n`, "calc")).toBe("source");
  });

  it("what the output of a program of the tree is compared with", async () => {
    const text =
      "import subprocess, ref\ndef test():\n    out = subprocess.run(['x']).stdout\n    assert out == ref.WANT\n";
    expect(await sideOf("test_a.py", text, "ref", { runsTree: true })).toBe("test side");
    expect(await sideOf("test_a.py", text, "ref")).toBe("source");
  });

  it("data that results are compared with", async () => {
    const text = `${HEAD}import json\nleast = json.load(open('limits.json'))['least']\nassert add(1, 2) >= least\n`;
    expect(await sideOf("verify.py", text, "#data:limits.json")).toBe("test side");
  });
});

describe("source of a Python test is", () => {
  it.each([
    ["what is compared with a literal", "def test():\n    assert add(1, 2) == 3"],
    ["what is compared with a literal that stands first", "def test():\n    assert 3 == add(1, 2)"],
    [
      "the same by unittest",
      "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(3, add(1, 2))",
    ],
    [
      "what stands second where literals stand first",
      "import ref\ndef test():\n    assert 3 == add(1, 2)\n    assert ref.slow(1) == add(1, 0)",
    ],
    [
      "a class on the expected side",
      "from shapes import Point\ndef test():\n    assert Point(1) == 1\n    assert add(1, 2) == Point(3)",
    ],
    ["what a test wants to be true", "def test():\n    assert add(1, 2)"],
    ["what stands on both sides", "def test():\n    assert add(1, 2) == add(2, 1)"],
    ["the rest of a round trip", "from codec import encode\ndef test():\n    assert encode(add(1, 2)) == 3"],
    ["what is compared with a file", "def test():\n    assert open('golden/x.txt').read() == add(1, 2)"],
    [
      "what is called for its effects",
      "from models import record\ndef test(tmp_path):\n    add(record('a'), tmp_path)\n    assert (tmp_path / 'a').exists()",
    ],
    ["an iterable of results", "def test():\n    for row in add(1, 2):\n        assert row.valid"],
    [
      "a constant that is compared with what another reads",
      "import calc, versions\ndef test():\n    assert calc.VERSION == versions.read()",
    ],
    [
      "what is used by itself and as a reference",
      "from fast import fib\ndef test():\n    assert add(1, 2) == 3\n    assert fib(3) == add(1, 1)",
    ],
    [
      "what stands before a table's wanted value",
      "from cases import ALL\nfor a, want in ALL:\n    assert want == add(a, 1)",
    ],
    ["what a context manager gives", "def test():\n    with add(1, 2) as value:\n        assert value == 3"],
    [
      "what hands a result to a library",
      "def test(capsys):\n    print(add(1, 2))\n    assert capsys.readouterr().out == '3'",
    ],
    ["an object with methods", "def test():\n    queue = add(1, 2)\n    queue.push(1)\n    assert queue.pop() == 1"],
    [
      "what should raise",
      "import pytest\nfrom errors import Wrong\ndef test():\n    with pytest.raises(Wrong):\n        add(1, 2)",
    ],
    ["what is in a container of results", "def test():\n    assert 'a' in add(1, 2)"],
    ["what a helper of the test calls", "def run(a):\n    return add(a, 1)\ndef test():\n    assert run(2) == 3"],
  ])("%s", async (_, text) => {
    expect(await sideOf("test_a.py", `${HEAD}${text}\n`, "calc")).toBe("source");
  });

  it.each([
    [
      "a token that both sides know",
      "tokens",
      "from tokens import Token\ndef test():\n    assert add(1, 2) == Token('x')",
    ],
    ["a helper for arguments", "utils", "from utils import pair\ndef test():\n    assert add(*pair()) == 5"],
    ["a plain argument", "options", "import options\ndef test():\n    assert add(options.BASE, 1) == 5"],
    ["what is handed records and asserts nothing", "store", "from store import save\ndef test():\n    save(add(1, 2))"],
    ["what a program that is no test compares with", "words", "import words\nif add(1, 2) == words.YES:\n    print(1)"],
    [
      "an exception that is expected",
      "errors",
      "import pytest\nfrom errors import Wrong\ndef test():\n    with pytest.raises(Wrong):\n        add(1, 2)",
    ],
    [
      "a class that a fake in the test extends",
      "base",
      "from base import Store\nclass Fake(Store):\n    def get(self):\n        return 1\ndef test():\n    assert add(Fake(), 1) == 2",
    ],
  ])("%s", async (_, name, text) => {
    expect(await sideOf("app.py", `${HEAD}${text}\n`, name, { onlyFirm: true })).toBe("source");
  });
});
