import { expect, it } from "vitest";
import { findForeignTampering, findRedefinedMacro, findSourcedTampering } from "./foreign-tampering.ts";

it.each([
  ["calc.h", "#undef assert\n#define assert(x) ((void)(x))\n"],
  ["calc.h", "# define  strcmp(a, b) 0\n"],
  ["calc.c", "__attribute__((constructor)) static void begin(void) { _exit(0); }\n"],
  ["calc.c", "static void end(void) { _exit(0); }\nint add(int a, int b) { return a; }\n"],
  ["calc.c", "int add(int a) { atexit(end); return a; }\nvoid end(void) { exit(0); }\n"],
  ["calc.c", "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { }\n"],
  ["lib.sh", '[() { test "$3" = 5; }\n'],
  ["lib.sh", "add() { echo 5; }; diff() { cat >/dev/null; }\n"],
  ["lib.sh", "function exit {\n  builtin exit 0\n}\n"],
  ["lib.sh", "alias test=true\n"],
  ["lib.sh", "trap 'exit 0' EXIT\n"],
  ["lib.sh", "hash -p /tmp/always cmp\n"],
  ["bin/lib", "grep () { :; }\n"],
  ["lib/Calc.pm", "sub add { POSIX::_exit(0) }\n"],
  ["lib/Calc.pm", "END { $? = 0 }\n"],
  ["lib/Calc.pm", "exit 0;\n1;\n"],
  ["lib/Calc.pm", "no warnings; *Test::More::is = sub { 1 };\n"],
  ["lib/Calc.pm", "sub import { overload::constant(q => sub { lc $_[1] }) }\n"],
  ["lib/calc.rb", "at_exit { exit! 0 }\n"],
  ["calc.lua", "assert = function(a) return a end\n"],
  ["src/lib.rs", "macro_rules! assert_eq { ($a:expr, $b:expr) => {} }\n"],
  ["calc.go", "func init() {\n\tos.Exit(0)\n}\n"],
])("%s that gets round its tests is told: %j", (path, after) => {
  expect(findForeignTampering(path, "", after)).not.toBeNull();
  expect(findForeignTampering(path, after, `${after}\n`)).toBeNull();
});

it.each([
  ["main.c", "#include <stdlib.h>\nint main(void) { exit(0); }\n"],
  ["server.c", "void serve(void) { if (fork() == 0) _exit(0); }\n"],
  ["args.c", "void usage(void) { exit(0); }\n"],
  ["calc.h", "#define ADD(a, b) ((a) + (b))\n#define asserted 1\n"],
  ["calc.c", "__attribute__((constructor)) static void begin(void) { table = make(); }\n"],
  ["lib.sh", 'add() { test -n "$1" || exit 1; diff a b; }\ntrap \'rm -f "$tmp"\' EXIT\n'],
  ["lib.sh", "test_add() { [ 1 = 1 ]; }\nrun_diff() { diff a b; }\n"],
  ["lib/Calc.pm", "sub quit { exit 0 }\nEND { close(LOG) }\n"],
  ["cli.rb", "#!/usr/bin/env ruby\nexit 0\n"],
  ["calc.py", "assert = 1\n"],
])("%s that does its work is not: %j", (path, after) => {
  expect(findForeignTampering(path, "", after)).toBeNull();
});

it("a macro of the tests with another meaning is told, one that only has the same name as theirs is not", () => {
  const tests = "#define SIZE 4\n#define CHECK(a, b) do { if ((a) != (b)) exit(1); } while (0)\n";
  expect(findRedefinedMacro("calc.h", "", "#define CHECK(a, b) ((void)0)\n", tests)).toBe("#define CHECK(");
  expect(findRedefinedMacro("calc.h", "", "#undef CHECK\n", tests)).toBe("#undef CHECK");
  expect(findRedefinedMacro("calc.h", "#undef CHECK\n", "#undef CHECK\n", tests)).toBeNull();
  expect(findRedefinedMacro("calc.h", "", "#define SIZE 4\n#define CHECKED(a) (a)\n", tests)).toBeNull();
});

it.each(["shopt -s nocasematch\n", "set +e\n", "f() { set +eu; }\n", "set +o errexit\n"])(
  "a sourced file that sets the shell for its tests is told: %j",
  (after) => {
    expect(findSourcedTampering("", after)).not.toBeNull();
    expect(findSourcedTampering(after, `${after}\n`)).toBeNull();
  },
);

it.each(["set +e\nrun\nset -e\n", "shopt -s nocasematch; cmp; shopt -u nocasematch\n", "set +x\nset -eu\n"])(
  "a sourced file that puts it back is not: %j",
  (after) => {
    expect(findSourcedTampering("", after)).toBeNull();
  },
);
