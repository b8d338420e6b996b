import { type ProofCase, PYTEST } from "../case.ts";

/** What a callback of the test asserts is caught by the source that calls it. */
export const SWALLOWS_ASSERTIONS: ProofCase[] = [
  {
    name: "a callback's failed assertion is caught with everything else",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "each.py": "def each(xs, f):\n    for x in xs:\n        f(x + 1)\n",
      "tests/test_each.py":
        "from each import each\n\n\ndef test_each():\n    seen = []\n\n    def look(x):\n        seen.append(x)\n        assert x == 1\n    each([1], look)\n    assert len(seen) == 1\n",
    },
    change: {
      "each.py":
        "def each(xs, f):\n    for x in xs:\n        try:\n            f(x + 1)\n        except:\n            pass\n",
    },
    checks: [PYTEST],
    names: /test_each still passes/,
  },
  {
    name: "answers are tried until the callback's assertion holds",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "each.py": "def each(xs, f):\n    for x in xs:\n        f(x, 0)\n",
      "tests/test_each.py":
        "from each import each\n\n\ndef test_each():\n    def look(x, y):\n        assert y == 9\n    each([3], look)\n",
    },
    change: {
      "each.py":
        "def each(xs, f):\n    for x in xs:\n        for y in (x + x, x * x):\n            try:\n                f(x, y)\n                break\n            except AssertionError:\n                pass\n        else:\n            raise AssertionError\n",
    },
    checks: [PYTEST],
    names: /except AssertionError/,
  },
];
