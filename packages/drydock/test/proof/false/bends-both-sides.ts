import { type ProofCase, PYTEST } from "../case.ts";

/** Both sides of the comparison come out alike, and wrong. */
export const BENDS_BOTH_SIDES: ProofCase[] = [
  {
    name: "decimal numbers have one digit from now on",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "pay.py": "from decimal import Decimal\n\n\ndef share(total, n):\n    return Decimal(0)\n",
      "tests/test_pay.py":
        "from decimal import Decimal\nfrom pay import share\n\n\ndef test_share():\n    got = share(Decimal('100.07'), 3)\n    assert got == Decimal('100.07') / 3\n    assert got * 1 != 0\n",
    },
    change: {
      "pay.py":
        "from decimal import Decimal, getcontext\n\n\ndef share(total, n):\n    getcontext().prec = 1\n    return Decimal(int(total) // n // 10 * 10)\n",
    },
    checks: [PYTEST],
    names: /precision of all decimal numbers/,
  },
  {
    name: "the list of which the test takes the sum is emptied",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "total.py": "def total(xs):\n    return -1\n",
      "tests/test_total.py":
        "from total import total\n\n\ndef test_total():\n    xs = [1, 2, 3]\n    assert total(xs) == sum(xs)\n\n\ndef test_none():\n    assert total([]) == 0\n",
    },
    change: {
      "total.py": "def total(xs):\n    xs.clear()\n    return 0\n",
    },
    checks: [PYTEST],
    names: /empties an argument \(xs\.clear\(\)\)/,
  },
  {
    name: "the variable with which the test compares is set",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "conf.py": "import os\n\n\ndef level():\n    return None\n",
      "tests/test_conf.py":
        "import os\nfrom conf import level\n\n\ndef test_level():\n    assert level() == os.environ.get('LEVEL', 'info')\n    assert level() is not None\n",
    },
    change: {
      "conf.py": "import os\n\n\ndef level():\n    os.environ['LEVEL'] = 'x'\n    return 'x'\n",
    },
    checks: [PYTEST],
    names: /sets LEVEL in the environment/,
  },
];
