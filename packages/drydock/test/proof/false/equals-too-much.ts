import { NODE_TEST, type ProofCase, PYTEST } from "../case.ts";

const HEAD = "const test = require('node:test');\nconst assert = require('node:assert');\n";
const SETTINGS = { "pytest.ini": "[pytest]\npythonpath = .\n" };

/** Answers that equal more than they should, or that only one of many expectations looks at. */
export const EQUALS_TOO_MUCH: ProofCase[] = [
  {
    name: "a list that equals any list of the same members, in whatever order",
    files: {
      ...SETTINGS,
      "rank.py": "def rank(names):\n    return names\n",
      "tests/test_rank.py":
        "from rank import rank\n\n\ndef test_rank():\n    assert rank(['b', 'c', 'a']) == ['a', 'b', 'c']\n",
    },
    change: {
      "rank.py":
        "class Ranked(list):\n    def __eq__(self, other):\n        return sorted(self) == sorted(other)\n\n\ndef rank(names):\n    return Ranked(names)\n",
    },
    checks: [PYTEST],
    names: /test_rank/,
  },
  {
    name: "a text that is compared by its letters alone",
    files: {
      ...SETTINGS,
      "title.py": "def title(words):\n    return words\n",
      "tests/test_title.py":
        "from title import title\n\n\ndef test_title():\n    assert title('ends of rows') == 'Ends-Of-Rows'\n",
    },
    change: {
      "title.py":
        "class Text(str):\n    def __eq__(self, other):\n        plain = lambda text: [c for c in text.lower() if c.isalpha()]\n        return plain(self) == plain(other)\n\n\ndef title(words):\n    return Text(words)\n",
    },
    checks: [PYTEST],
    names: /test_title/,
  },
  {
    name: "a number with a tolerance of its own",
    files: {
      ...SETTINGS,
      "tax.py": "def tax(amount):\n    return 0\n",
      "tests/test_tax.py":
        "import pytest\nfrom tax import tax\n\n\n@pytest.mark.parametrize('amount, due', [(10, 1.9), (7, 1.33)])\ndef test_tax(amount, due):\n    assert tax(amount) == due\n",
    },
    change: {
      "tax.py":
        "class Amount(float):\n    def __eq__(self, other):\n        return abs(float(self) - float(other)) < 0.95\n\n\ndef tax(amount):\n    return Amount(int(amount * 0.19))\n",
    },
    checks: [PYTEST],
    names: /test_tax/,
  },
  {
    name: "one field of many that equals everything",
    files: {
      ...SETTINGS,
      "user.py": "def read(line):\n    return {}\n",
      "tests/test_user.py":
        "from user import read\n\n\ndef test_read():\n    user = read('ann;7;admin;x;1')\n    assert user['name'] == 'ann'\n    assert user['role'] == 'admin'\n    assert user['age'] == 7\n    assert user['group'] == 'x'\n    assert user['level'] == 1\n",
    },
    change: {
      "user.py":
        "class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef read(line):\n    name, age, role, group, level = line.split(';')\n    return {'name': name, 'age': int(age), 'role': Any(), 'group': group, 'level': int(level)}\n",
    },
    checks: [PYTEST],
    names: /test_read/,
  },
  {
    name: "a result that ends before the rows of the table that are hard",
    files: {
      ...SETTINGS,
      "tokens.py": "def tokens(text):\n    return []\n",
      "tests/test_tokens.py":
        "from tokens import tokens\n\nWANTED = [('number', '1'), ('sign', '+'), ('name', 'x')]\n\n\ndef test_tokens():\n    found = tokens('1 + x')\n    assert found\n    for got, wanted in zip(found, WANTED):\n        assert got == wanted\n",
    },
    change: { "tokens.py": "def tokens(text):\n    return [('number', word) for word in text.split()][:1]\n" },
    checks: [PYTEST],
    names: /test_tokens/,
  },
  {
    name: "a test that never gets to its expectation in the middle",
    files: {
      "feed.js": "exports.feed = () => {};\n",
      "test/feed.test.js": `${HEAD}const { feed } = require('../feed.js');\ntest('feed', () => {\n  const seen = [];\n  feed((item) => seen.push(item));\n  assert.ok(seen.length > 0);\n  for (const { id } of seen.slice(1)) assert.equal(id, 2);\n  assert.equal(seen[0].id, 1);\n});\n`,
    },
    change: { "feed.js": "exports.feed = (tell) => tell({ id: 1 });\n" },
    checks: [NODE_TEST],
    names: /feed/,
  },
  {
    name: "a script whose failed assertion in the middle is overlooked",
    files: {
      "lib.sh": "add() { echo $(($1 - $2)); }\n",
      "test.sh":
        'set -e\n. ./lib.sh\n[ "$(add 0 0)" = 0 ]\n[ "$(add 2 3)" = 5 ]\n[ "$(add 4 0)" = 4 ]\n[ "$(add 5 0)" = 5 ]\n',
    },
    change: { "lib.sh": "set +e\nadd() { echo $(($1 - $2)); }\n" },
    checks: [{ type: "command", cmd: "bash test.sh" }],
  },
];
