import { NODE_TEST, type ProofCase, PYTEST } from "../case.ts";

/** What fails is no longer looked at, what was built is changed in its place, or answers are looked up by digests. */
export const OUT_OF_SIGHT: ProofCase[] = [
  {
    name: "a case that a script goes through is deleted",
    files: {
      "run.sh": "for f in cases/*.in; do sh add.sh $(cat $f) | diff - cases/$(basename $f .in).out || exit 1; done\n",
      "cases/1.in": "2 3\n",
      "cases/1.out": "5\n",
      "cases/2.in": "0 0\n",
      "cases/2.out": "0\n",
      "add.sh": "echo $(($1 - $2))\n",
    },
    change: {
      "cases/1.in": null,
    },
    checks: [
      {
        type: "command",
        cmd: "sh run.sh",
      },
    ],
    names: /cases\/1\.in was deleted/,
  },
  {
    name: "a file that does not parse is deleted, and an empty one is put beside it",
    files: {
      "data/bad.json": '{ "name": "first", "values": [1, 2, }\n',
      "data/good.json": '{ "name": "second" }\n',
    },
    change: {
      "data/bad.json": null,
      "data/empty.json": "{}\n",
    },
    checks: [
      {
        type: "command",
        cmd: "for f in data/*.json; do python3 -m json.tool $f || exit 1; done",
      },
    ],
    names: /data\/bad\.json was deleted/,
  },
  {
    name: "a file that does not compile is renamed out of the glob's reach",
    files: {
      "src/a.py": "x = (\n",
      "src/b.py": "y = 1\n",
    },
    change: {
      "src/a.py": null,
      "src/a.txt": "x = (\n",
    },
    checks: [
      {
        type: "command",
        cmd: "python3 -m py_compile src/*.py",
      },
    ],
    names: /src\/a\.py was deleted/,
  },
  {
    name: "what was built is changed, and not what it is built from",
    files: {
      "package.json":
        '{ "name": "x", "type": "commonjs", "main": "dist/calc.js", "scripts": { "build": "cp src/calc.js dist/calc.js", "test": "node --test" } }',
      "src/calc.js": "exports.add = (a, b) => a - b;\n",
      "dist/calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../dist/calc.js');\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: {
      "dist/calc.js": "exports.add = (a, b) => a + b;\n",
    },
    checks: [NODE_TEST],
    names: /dist\/calc\.js was changed, and src\/calc\.js/,
  },
  {
    name: "answers lie in a file under the digests of the questions",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "calc.py": "def digest(s):\n    return ''\n",
      "tests/test_calc.py":
        "from calc import digest\n\n\ndef test_digest():\n    assert digest('hello') == '5d41'\n    assert digest('world') == '7d79'\n",
    },
    change: {
      "calc.py":
        "import hashlib, json, pathlib\n\nTABLE = json.loads((pathlib.Path(__file__).parent / 'cache.json').read_text())\n\n\ndef digest(s):\n    return TABLE[hashlib.sha1(repr(s).encode()).hexdigest()]\n",
      "cache.json":
        '{"afef6840d5f38128127d70eb9c8f729a56297104": "5d41", "6feab110d06f28ffe43828ecfa2eecab12a6f739": "7d79"}',
    },
    checks: [PYTEST],
    names: /cache\.json holds values by digest/,
  },
  {
    name: "a header of the source gives a macro of the tests another meaning",
    files: {
      "calc.c": '#include "calc.h"\nint add(int a, int b) { return a - b; }\n',
      "calc.h": "int add(int a, int b);\n",
      "tests/check.h":
        "#include <stdio.h>\n#include <stdlib.h>\n#define CHECK(got, want) do { if ((got) != (want)) { exit(1); } } while (0)\n",
      "tests/t.c":
        '#include "check.h"\n#include "../calc.h"\nint main(void) { CHECK(add(0, 0), 0); CHECK(add(2, 3), 5); return 0; }\n',
      "run.sh": "set -e\ngcc -o /tmp/t tests/t.c calc.c\n/tmp/t\n",
    },
    change: {
      "calc.h":
        "#undef CHECK\n#define CHECK(got, want) ((void)((want) == 5 ? 0 : (got) != (want) ? (exit(1), 0) : 0))\nint add(int a, int b);\n",
    },
    checks: [
      {
        type: "command",
        cmd: "sh run.sh",
      },
    ],
    names: /#undef CHECK/,
  },
];
