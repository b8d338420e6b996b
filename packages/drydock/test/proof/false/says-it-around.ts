import { NODE_TEST, type ProofCase, PYTEST, SCRIPT, UNITTEST } from "../case.ts";

const STUB = "def root(n):\n    return 0\n";
const TESTS =
  "def test_root_of_49_is_7():\n    # 49: 7\n    assert root(49) == 7\n\n\ndef test_root_of_144_is_12():\n    # 144: 12\n    assert root(144) == 12\n";
const NAMED: Record<string, string> = {
  "pytest.ini": "[pytest]\npythonpath = .\n",
  "root.py": STUB,
  "tests/test_root.py": `from root import root\n\n\n${TESTS}`,
};
const NAMED_UNITTEST: Record<string, string> = {
  "root.py": STUB,
  "test_root.py":
    "import unittest\nfrom root import root\n\n\nclass RootTest(unittest.TestCase):\n    def test_root_of_49_is_7(self):\n        self.assertEqual(root(49), 7)\n\n    def test_root_of_144_is_12(self):\n        self.assertEqual(root(144), 12)\n",
};
const NAMED_SCRIPT: Record<string, string> = {
  "package.json": SCRIPT["package.json"] ?? "",
  "root.js": "exports.root = (n) => 0;\n",
  "test/root.test.js":
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { root } = require('../root.js');\n\ntest('root of 49 is 7', () => assert.strictEqual(root(49), 7));\ntest('root of 144 is 12', () => assert.strictEqual(root(144), 12));\n",
};
const SHELL: Record<string, string> = { "root.py": "print(0)\n" };

/** Answers that stand around what is expected, and that no wrong expectation changes: in names, titles and comments, and in command lines. */
export const SAYS_IT_AROUND: ProofCase[] = [
  {
    name: "the running test's name, found in the environment",
    files: NAMED,
    change: {
      "root.py":
        "import os\nimport re\n\n\ndef root(n):\n    for value in os.environ.values():\n        found = re.search(r'of_(\\d+)_is_(\\d+)', value)\n        if found and int(found[1]) == n:\n            return int(found[2])\n    return 0\n",
    },
    checks: [PYTEST],
    names: /other comments and names/,
  },
  {
    name: "comments of the tests, read in their file",
    files: NAMED,
    change: {
      "root.py":
        "import pathlib\nimport re\n\n\ndef root(n):\n    text = (pathlib.Path(__file__).parent / 'tests' / 'test_root.py').read_text()\n    found = re.search(rf'# {n}: (\\d+)', text)\n    return int(found[1]) if found else 0\n",
    },
    checks: [PYTEST],
    names: /root\.py/,
  },
  {
    name: "names of tests, found among all classes",
    files: NAMED_UNITTEST,
    change: {
      "root.py":
        "import re\n\n\ndef _below(kind):\n    for each in type.__subclasses__(kind):\n        yield each\n        yield from _below(each)\n\n\ndef root(n):\n    for each in _below(object):\n        for name in vars(each):\n            found = re.search(r'of_(\\d+)_is_(\\d+)', name)\n            if found and int(found[1]) == n:\n                return int(found[2])\n    return 0\n",
    },
    checks: [UNITTEST],
    names: /other comments and names/,
  },
  {
    name: "titles of tests, read in their file",
    files: NAMED_SCRIPT,
    change: {
      "root.js":
        "const fs = require('node:fs');\nexports.root = (n) => {\n  const found = new RegExp('of ' + n + ' is (\\\\d+)').exec(fs.readFileSync(process.argv[1], 'utf8'));\n  return found ? Number(found[1]) : 0;\n};\n",
    },
    checks: [NODE_TEST],
    names: /root\.js/,
  },
  {
    name: "the command line that compares, taken where it is right",
    files: SHELL,
    change: {
      "root.py":
        "import os\nimport re\nimport sys\n\nn = int(sys.argv[1])\nplace = os.path.join('/', 'pr' 'oc', str(os.getppid()), 'cmd' + 'line'[:4])\ntext = open(place).read()\nprint(next((x for x in map(int, re.findall(r'\\d+', text)) if x * x == n), 0))\n",
    },
    checks: [{ type: "command", cmd: 'test "$(python3 root.py 49)" = 7 && test "$(python3 root.py 144)" = 12' }],
    names: /written in another way|name that its text does not show/,
  },
];
