import type { ProofCase } from "../case.ts";

const BUG = "int add(int a, int b) { return a - b; }\n";
const FIX = "int add(int a, int b) { return a + b; }\n";
const TEST =
  '#include <assert.h>\n#include <string.h>\n#include "calc.h"\nint main(void) {\n  assert(add(2, 3) == 5);\n  assert(add(0, 0) == 0);\n  return 0;\n}\n';
const C_FILES = { "src/calc.c": BUG, "src/calc.h": "int add(int a, int b);\n", "tests/calc.c": TEST };

/** Fixes that are tested in C, shell, Make and Perl. */
export const OTHER_LANGUAGES: ProofCase[] = [
  {
    name: "a fix in C, beside a recipe that is not followed",
    files: {
      ...C_FILES,
      Makefile:
        "check: t\n\t./t\nt: src/calc.c tests/calc.c\n\tgcc -Isrc -o $@ $^\nlint:\n\t! grep -n 'TODO' src/calc.c\n\tgrep -q good notes\n",
    },
    change: { "src/calc.c": FIX },
    checks: [{ type: "command", cmd: "make check" }],
  },
  {
    name: "a fix in C, tested by a script that compiles",
    files: {
      ...C_FILES,
      "check.sh":
        'set -e\nout=$(mktemp -d)\ngcc -Isrc -o "$out/t" tests/calc.c src/calc.c\n[ -x "$out/t" ]\n"$out/t"\n',
    },
    change: { "src/calc.c": FIX },
    checks: [{ type: "command", cmd: "sh check.sh" }],
  },
  {
    name: "a library in C that its test waits for",
    files: {
      "tests/test_stack.c":
        '#include <stdio.h>\n#include "stack.h"\nstatic int failures;\nstatic void check(const char *name, int got, int want) {\n  if (got != want) { printf("%s: %d\\n", name, got); failures++; }\n}\nint main(void) {\n  push(1);\n  push(2);\n  check("last", pop(), 2);\n  check("first", pop(), 1);\n  return failures != 0;\n}\n',
    },
    change: {
      "src/stack.h": "void push(int value);\nint pop(void);\n",
      "src/stack.c":
        '#include "stack.h"\nstatic int values[64];\nstatic int size;\nvoid push(int value) { values[size++] = value; }\nint pop(void) { return values[--size]; }\n',
    },
    checks: [{ type: "command", cmd: "gcc -Isrc -o /tmp/t tests/test_stack.c src/stack.c && /tmp/t" }],
  },
  {
    name: "tests in C that are compiled and not run",
    files: { ...C_FILES, "src/calc.c": "int add(int a, int b) { return a + }\n" },
    change: { "src/calc.c": FIX },
    checks: [
      { type: "command", cmd: "gcc -Isrc -Wall -c -o /tmp/a.o src/calc.c && gcc -Isrc -c -o /tmp/t.o tests/calc.c" },
    ],
  },
  {
    name: "a fix for the shell, tested in many ways",
    files: {
      "lib.sh": "add() { echo $(($1 - $2)); }\n",
      "run-checks":
        '#!/bin/bash\n. ./lib.sh\nassert_eq() { if [ "$1" != "$2" ]; then echo "$1 is not $2"; exit 1; fi; }\nassert_eq "$(add 2 3)" 5\nassert_eq "$(add 0 0)" 0\ncase "$(add 1 1)" in\n  2) ;;\n  *) exit 1 ;;\nesac\n(( $(add 1 2) == 3 )) || exit 1\nadd 2 2 | diff - <(cat <<END\n4\nEND\n) || exit 1\ndiff <(add 3 3) - <<< 6\n',
    },
    change: { "lib.sh": "add() {\n  local a=$1 b=$2\n  echo $((a + b))\n}\n" },
    checks: [{ type: "command", cmd: "bash run-checks" }],
  },
  {
    name: "a fix in Perl with a new module",
    files: {
      "lib/Calc.pm": "package Calc;\nsub add { $_[0] - $_[1] }\n1;\n",
      "t/add.t":
        "use strict;\nuse warnings;\nuse Test::More;\nuse Calc;\n\nis(Calc::add(2, 3), 5, 'add');\nok(Calc::add(0, 0) == 0, 'zero');\ndone_testing();\n",
    },
    change: {
      "lib/Calc.pm": "package Calc;\nuse Plus;\nsub add { Plus::plus(@_) }\n1;\n",
      "lib/Plus.pm": "package Plus;\nsub plus { $_[0] + $_[1] }\n1;\n",
    },
    checks: [{ type: "command", cmd: "prove -Ilib t" }],
  },
];
