import { expect, it } from "vitest";
import { runPython } from "../../../source/testing/run-python.ts";
import { findInterposed } from "./interposed.ts";

const TESTS = '#include <string.h>\n#include <math.h>\nint main(void) { return strcmp(up("a"), "A") != 0; }\n';
const OWN = "int strcmp(const char *a, const char *b) { return strcasecmp(a, b); }\n";

it.each([
  ["strcmp", OWN, TESTS],
  [
    "lrint",
    "long lrint(double x) { return 7; }\n",
    "#include <math.h>\nint ok(void) { return lrint(half(14)) == 7; }\n",
  ],
  [
    "strverscmp",
    "int strverscmp(const char *a, const char *b) {\n  return 0;\n}\n",
    '#define _GNU_SOURCE\n#include <string.h>\nint ok(void) { return strverscmp(v(), "1.2") == 0; }\n',
  ],
])(
  "a function of the system's libraries that tests call is told where source defines it: %s",
  async (name, own, tests) => {
    expect(await findInterposed("up.c", "", own, { tests, runPython })).toBe(`its own ${name}()`);
  },
);

it.each([
  ["one that was there before", OWN, OWN, TESTS],
  ["one that other files do not see", "", `static ${OWN}`, TESTS],
  ["one that tests do not call", "", "size_t strlen(const char *s) { return 0; }\n", TESTS],
  ["the work", "", "char *up(const char *text) {\n  return strdup(text);\n}\n", TESTS],
  [
    "the work under a name that another library has",
    "",
    "int index(int a) { return a; }\n",
    "#include <assert.h>\nint main(void) { assert(index(1) == 1); }\n",
  ],
])("%s is not", async (_name, before, after, tests) => {
  expect(await findInterposed("up.c", before, after, { tests, runPython })).toBeNull();
});
