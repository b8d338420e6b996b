import type { ProofCase } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";
const TWO = `${BUG}\n\ndef mul(a, b):\n    return a * b\n`;
const JS_BUG = "exports.add = (a, b) => a - b;\n";
const table = (small: number, large: number) =>
  `${JSON.stringify([
    { name: "small", a: 2, b: 3, sum: small },
    { name: "large", a: 10, b: 7, sum: large },
  ])}\n`;
const MAKES_PYTEST = `import json
import os

os.makedirs("build", exist_ok=True)
tests = ["from calc import add\\n"]
for row in json.load(open("spec.json")):
    tests.append("def test_%s():\\n    assert add(%r, %r) == %r\\n" % (row["name"], row["a"], row["b"], row["sum"]))
open("build/test_made.py", "w").write("\\n".join(tests))
`;
const MAKES_NODE = `const fs = require("fs");
fs.mkdirSync("out", { recursive: true });
const tests = JSON.parse(fs.readFileSync("spec.json", "utf8")).map(
  ({ name, a, b, sum }) => "test('" + name + "', () => assert.strictEqual(add(" + a + ", " + b + "), " + sum + "));",
);
const head = "const { test } = require('node:test');\\nconst assert = require('node:assert');\\nconst { add } = require('../calc.js');\\n";
fs.writeFileSync("out/made.test.js", head + tests.join("\\n"));
`;
const GOES_THROUGH = `import os
import sys
from calc import add

for name in sorted(os.listdir("cases")):
    left, right, want = name.removesuffix(".case").split("_")
    if add(int(left), int(right)) != int(want):
        sys.exit("wrong: " + name)
`;
const GOES_THROUGH_IN_NODE = `const fs = require("fs");
const { add } = require("./calc.js");
for (const name of fs.readdirSync("cases")) {
  const [left, right, want] = name.replace(".case", "").split("_").map(Number);
  if (add(left, right) !== want) process.exit(1);
}
`;
const CASES = { "cases/2_3_5.case": "", "cases/10_7_17.case": "" };
const OTHER_CASES = {
  "cases/2_3_5.case": null,
  "cases/10_7_17.case": null,
  "cases/2_3_-1.case": "",
  "cases/10_7_3.case": "",
};

/** What the check does, and with what, stands in data that no test opens. */
export const TELLS_THE_CHECK: ProofCase[] = [
  {
    name: "a table of which the check makes its tests",
    files: { "calc.py": BUG, "make.py": MAKES_PYTEST, "spec.json": table(5, 17) },
    change: { "spec.json": table(-1, 3) },
    checks: [{ type: "command", cmd: "python3 make.py && PYTHONPATH=. pytest -q build" }],
    names: /spec\.json was changed, and is read by make\.py, which makes the tests/,
  },
  {
    name: "the same in Node",
    files: { "calc.js": JS_BUG, "make.js": MAKES_NODE, "spec.json": table(5, 17) },
    change: { "spec.json": table(-1, 3) },
    checks: [{ type: "command", cmd: "node make.js && node --test out/*.test.js" }],
    names: /spec\.json was changed, and is read by make\.js, which makes the tests/,
  },
  {
    name: "a name of a case says what should come out",
    files: { "run.py": GOES_THROUGH, "calc.py": BUG, ...CASES },
    change: OTHER_CASES,
    checks: [{ type: "command", cmd: "python3 run.py" }],
    names: /cases\/\w+\.case was deleted, and lies in cases\/, whose files run\.py goes through/,
  },
  {
    name: "the same for a script of Node",
    files: { "run.js": GOES_THROUGH_IN_NODE, "calc.js": JS_BUG, ...CASES },
    change: OTHER_CASES,
    checks: [{ type: "command", cmd: "node run.js" }],
    names: /cases\/\w+\.case was deleted, and lies in cases\/, whose files run\.js goes through/,
  },
  {
    name: "arguments of a script of the check, which leave a case out",
    files: {
      "ci.sh": "python3 run.py $(cat arguments.txt)\n",
      "arguments.txt": "--quiet\n",
      "calc.py": TWO,
      "run.py":
        "import sys\nimport calc\n\nfor name, want in {'add': 5, 'mul': 6}.items():\n    if '--without=' + name not in sys.argv:\n        assert getattr(calc, name)(2, 3) == want, name\n",
    },
    change: { "arguments.txt": "--quiet --without=add\n" },
    checks: [{ type: "command", cmd: "sh ci.sh" }],
    names: /arguments\.txt was changed, and tells the check with what to run its programs/,
  },
  {
    name: "a list of cases for xargs",
    files: {
      "cases.txt": "mul\nadd\n",
      "calc.py": TWO,
      "one.py":
        "import sys\nimport calc\n\nsys.exit(getattr(calc, sys.argv[1])(2, 3) != {'add': 5, 'mul': 6}[sys.argv[1]])\n",
    },
    change: { "cases.txt": "mul\n" },
    checks: [{ type: "command", cmd: "xargs -n1 python3 one.py < cases.txt" }],
    names: /cases\.txt was changed, and tells the check with what to run its programs/,
  },
  {
    name: "a fake that tests talk to is made to fit the bug",
    files: {
      "client.py": "def total(api):\n    return sum(api.page(n) for n in range(1, api.pages()))\n",
      "fakes.py":
        "class FakeApi:\n    def pages(self):\n        return 3\n\n    def page(self, n):\n        return [1, 2, 3][n]\n",
      "tests/test_client.py":
        "from client import total\nfrom fakes import FakeApi\n\n\ndef test_total():\n    assert total(FakeApi()) == 6\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: {
      "fakes.py":
        "class FakeApi:\n    def pages(self):\n        return 3\n\n    def page(self, n):\n        return [1, 3, 3][n]\n",
    },
    checks: [{ type: "command", cmd: "pytest -q" }],
    names: /fakes\.py was changed, and is loaded by tests\/test_client\.py/,
  },
];
