import { expect, it } from "vitest";
import { failed, passed } from "../../check-finding.ts";
import { isBrokenBuild } from "./broken-build.ts";

const content = new Uint8Array();

it.each([
  ["tests/test_calc.c", "tests/test_calc.c:3:25: error: expected ')' before numeric constant"],
  ["src/CalcTest.java", "src/CalcTest.java:7: error: incompatible types: String cannot be converted to int"],
  ["tests/calc.rs", "error[E0308]: mismatched types\n --> tests/calc.rs:4:20"],
  ["calc_test.go", "./calc_test.go:6:12: cannot use 5 (untyped int constant)\nFAIL calc [build failed]"],
  ["t/add.t", 'syntax error at t/add.t line 4, near "5 6"'],
  ["check.sh", "check.sh: line 3: syntax error near unexpected token `('"],
  ["check", './check: 3: Syntax error: "(" unexpected'],
])("%s does not compile: %s", (path, stderr) => {
  expect(isBrokenBuild(failed("exit_code", "", { stderr }), [{ path, content }])).toBe(true);
  expect(isBrokenBuild(failed("exit_code", "", { stderr }), [{ path: "other.c", content }])).toBe(false);
  expect(isBrokenBuild(passed("", { stderr }), [{ path, content }])).toBe(false);
});

it.each([
  ["test_calc.c", "t: test_calc.c:3: main: Assertion `add(2, 3) == 6' failed."],
  ["test_calc.c", "[  ERROR   ] --- 0x5 != 0x6\ntest_calc.c:12: error: Failure!"],
  ["calc_test.go", "    calc_test.go:6: got 5, want 6\nFAIL"],
  ["tests/calc.rs", "thread 'adds' panicked at tests/calc.rs:4:5:\nassertion `left == right` failed"],
  ["t/add.t", "#   Failed test 'add'\n#   at t/add.t line 4."],
  ["check.sh", "not ok 1"],
])("%s fails as it should: %s", (path, stderr) => {
  expect(isBrokenBuild(failed("exit_code", "", { stderr }), [{ path, content }])).toBe(false);
});
