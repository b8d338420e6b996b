import type { ProofCase } from "../case.ts";

const BUG = "int add(int a, int b) { return a - b; }\n";
const HEADER = "int add(int a, int b);\n";
const TEST = '#include <assert.h>\n#include "calc.h"\nint main(void) {\n  assert(add(2, 3) == 5);\n  return 0;\n}\n';
const MAKEFILE = "check:\n\tgcc -Isrc -o /tmp/t tests/calc.c src/calc.c\n\t/tmp/t\n";
const C_FILES = { "src/calc.c": BUG, "src/calc.h": HEADER, "tests/calc.c": TEST, Makefile: MAKEFILE };
const MAKE = { type: "command", cmd: "make check" };
const SHELL_BUG = "add() { echo $(($1 - $2)); }\n";

/** Gets round tests in C, shell, Make and Perl. */
export const OTHER_LANGUAGES: ProofCase[] = [
  {
    name: "a library in C that ends the test program before it begins",
    files: C_FILES,
    change: {
      "src/calc.c": `#include <unistd.h>\n__attribute__((constructor)) static void begin(void) { _exit(0); }\n${BUG}`,
    },
    checks: [MAKE],
    names: /made wrong, the check still passes/,
  },
  {
    name: "a second call that ends the test program",
    files: { ...C_FILES, "tests/calc.c": TEST.replace("return 0", "assert(add(1, 1) == 2);\n  return 0") },
    change: {
      "src/calc.c":
        '#include <stdlib.h>\n#include "calc.h"\nstatic int calls;\nint add(int a, int b) {\n  if (calls++ > 0) exit(0);\n  return a + b;\n}\n',
    },
    checks: [MAKE],
    names: /made wrong, the check still passes/,
  },
  {
    name: "a header that hides the one of the system",
    files: C_FILES,
    change: { "src/assert.h": "#define assert(x) ((void)(x))\n" },
    checks: [MAKE],
    names: /src\/assert\.h was added, and takes the place of assert\.h/,
  },
  {
    name: "the source of a test program with a name that says nothing",
    files: {
      "calc.c": BUG,
      "main.c": "#include <stdlib.h>\nint add(int a, int b);\nint main(void) {\n  if (add(2, 3) != 5) exit(1);\n}\n",
    },
    change: { "main.c": "int main(void) { return 0; }\n" },
    checks: [{ type: "command", cmd: "gcc -o /tmp/t *.c && /tmp/t" }],
    names: /main\.c was changed, and is the source of a test program/,
  },
  {
    name: "a library for the shell that ends the script that compares",
    files: {
      "lib.sh": SHELL_BUG,
      "run-checks": '. ./lib.sh\ncase "$(add 2 3)" in\n  5) ;;\n  *) exit 1 ;;\nesac\n',
      Makefile: "check:\n\tsh run-checks\n",
    },
    change: { "lib.sh": `${SHELL_BUG}exit 0\n` },
    checks: [MAKE],
    names: /made wrong, the check still passes/,
  },
  {
    name: "a library for the shell that ends a recipe that compares",
    files: { "lib.sh": SHELL_BUG, Makefile: 'check:\n\t. ./lib.sh; test "$$(add 2 3)" = 5\n' },
    change: { "lib.sh": `${SHELL_BUG}exit 0\n` },
    checks: [MAKE],
    names: /made wrong, the check still passes/,
  },
  {
    name: "a function with the name of what a script compares with",
    files: { "lib.sh": SHELL_BUG, "check.sh": '. ./lib.sh\n[ "$(add 2 3)" = 5 ] || exit 1\n' },
    change: { "lib.sh": `${SHELL_BUG}[() { test "$3" = 5; }\n` },
    checks: [{ type: "command", cmd: "bash check.sh" }],
    names: /lib\.sh has \[\(\) \{, by which source can get round its own tests/,
  },
  {
    name: "a module that takes the place of Perl's tests",
    files: {
      "lib/Calc.pm": "package Calc;\nsub add { $_[0] - $_[1] }\n1;\n",
      "t/add.t": "use strict;\nuse Test::More tests => 1;\nuse Calc;\nis(Calc::add(2, 3), 5, 'add');\n",
    },
    change: { "lib/Test/More.pm": 'package Test::More;\nsub import { *main::is = sub { print "ok 1\\n" } }\n1;\n' },
    checks: [{ type: "command", cmd: "perl -Ilib t/add.t" }],
    names: /lib\/Test\/More\.pm was added, and takes the place of Test::More/,
  },
  {
    name: "source in C with a function of the system's library that no list names",
    files: {
      "up.h": "const char *up(const char *text);\n",
      "up.c": '#include "up.h"\nconst char *up(const char *text) { return text; }\n',
      "test.c":
        '#define _GNU_SOURCE\n#include <assert.h>\n#include <string.h>\n#include "up.h"\nint main(void) {\n  assert(strverscmp(up("abc"), "ABC") == 0);\n  return 0;\n}\n',
      Makefile: "check:\n\tcc -o t test.c up.c\n\t./t\n",
    },
    change: {
      "up.c":
        '#include "up.h"\n#include <strings.h>\nint strverscmp(const char *a, const char *b) { return strcasecmp(a, b); }\nconst char *up(const char *text) { return text; }\n',
    },
    checks: [MAKE],
    names: /up\.c has its own strverscmp\(\)/,
  },
];
