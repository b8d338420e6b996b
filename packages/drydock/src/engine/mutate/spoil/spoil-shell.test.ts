import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runPython } from "../../source/testing/run-python.ts";
import { spoilExpectations } from "./spoil-expectations.ts";

const SUBJECT = "set -e\nadd() { echo $(($1 + $2)); }\nwant=5\nstatus=0\n";

async function spoil(text: string): Promise<string> {
  const [spoiled] = await spoilExpectations([{ path: "test.sh", text }], { runPython });
  return spoiled?.content ?? text;
}

describe("a spoiled shell script", () => {
  it.each([
    '[ "$(add 2 3)" = 5 ]',
    '[ "$(add 2 3)" = "5" ] || exit 1',
    'test "$(add 2 3)" = "$want"',
    'test "$(add 2 3)" = $want',
    'test "$(add 2 3)" = $(echo 5)',
    '[[ "$(add 2 3)" == 5 ]]',
    '[[ "$(echo all done)" == *"done"* ]]',
    '[[ "$(echo all done)" =~ done$ ]]',
    '[ "$(add 2 3)" -eq 5 ]',
    '[ "$(add 2 3)" -eq $want ]',
    '[ "$(add 2 3)" -gt 4 ]',
    '[ "$(add 2 3)" != 6 ]',
    '[ "$(add 2 3)" != 5 ] && exit 1; true',
    'if [ "$(add 2 3)" != 5 ]; then\n  echo wrong\n  exit 1\nfi',
    'if [ "$(add 2 3)" = "6" ]; then exit 1; fi',
    'if [ "$(add 2 3)" = 5 ]; then echo ok; else exit 1; fi',
    '[ -n "$(add 2 3)" ]',
    "[ ! -e nowhere ]",
    "[ -d / ]",
    "add 2 3 | grep -q 5",
    "add 2 3 | grep -qx '5'",
    'if ! add 2 3 | grep -q "5"; then exit 1; fi',
    "if add 2 3 | grep -q 6; then exit 1; fi",
    "! add 2 3 | grep -q 6 || exit 1",
    "add 2 3 | grep -q 6 && exit 1; true",
    "if true && add 2 3 | grep -q 6; then exit 1; fi",
    "diff <(add 2 3) <(echo 5)",
    "diff <(add 2 3) <(echo '5') || exit 1",
    'case "$(add 2 3)" in\n  5) echo good ;;\n  *) echo bad; exit 1 ;;\nesac',
    "case $(add 2 3) in 5|6) ;; *) exit 1; esac",
    'case "$(echo all done)" in\n  (*done*) ;;\n  (*) exit 1\nesac',
    "(( $(add 2 3) == 5 ))",
    "(( $(add 2 3) == 5 )) || exit 1",
    "(( $(add 2 3) == want ))",
    "if (( $(add 2 3) != 5 )); then exit 1; fi",
    "(($(add 2 3) > 4))",
    "add 2 3 | diff - /dev/fd/3 3<<END || exit 1\n5\nEND",
    "diff <(add 2 3) - <<'END'\n5\nEND",
    "diff <(add 2 3) - <<END\n$want\nEND",
    "diff <(echo a; add 2 3) - <<-END || exit 1\n\ta\n\t5\n\tEND",
    "cmp <(add 2 3) <<<5",
    'diff <(add 2 3) - <<< "5"',
    "echo 5 | diff - <(add 2 3)",
    "printf '5\\n' | cmp - <(add 2 3)",
    "printf '%s\\n' 5 | cmp - <(add 2 3)",
    'assert_eq() { test "$1" = "$2"; }\nassert_eq "$(add 2 3)" 5',
    'check() { (( $1 == $2 )) || exit 1; }\ncheck "$(add 2 3)" 5',
    'assert_same() { test "$1" = "$2" || exit 1; }\nassert_same 5 "$(add 2 3)" adds',
    'check() { if [ "$2" = "$3" ]; then echo ok; else exit 1; fi; }\ncheck one "$(add 2 3)" \'5\'',
  ])("fails for an honest program: %s", async (test) => {
    const run = (text: string) => spawnSync("bash", ["-c", SUBJECT + text], { encoding: "utf8" });
    expect(run(test).status).toBe(0);
    const spoilt = run(await spoil(test));
    expect(spoilt.status).not.toBe(0);
    expect(spoilt.stderr).not.toMatch(/syntax error/);
  });

  it("is known by its first line where its name has no ending", async () => {
    const text = '#!/usr/bin/env bash\n[ "$(add 2 3)" = 5 ]\n';
    const [spoilt] = await spoilExpectations([{ path: "bin/run-checks", text }], { runPython });
    expect(spoilt?.content).toBe(text.replace("= 5", "= 6"));
    expect(await spoilExpectations([{ path: "notes", text: "[ 1 = 5 ]\n" }], { runPython })).toEqual([]);
  });

  it.each([
    ['  [ "$status" -eq 0 ]', '  [ "$status" -eq 1 ]'],
    ['  [ "$output" = "done" ]', '  [ "$output" = "donf" ]'],
    ["  assert_success", "  assert_failure"],
    ['  assert_output --partial "done"', '  assert_output --partial "donf"'],
    ['  assert_equal "$output" "5"', '  assert_equal "$output" "6"'],
    ["# [ 1 = 1 ]", "# [ 1 = 1 ]"],
    ["cp a b", "cp a b"],
    ['assert_eq "$(add 2 3)" 5 "it adds"', 'assert_eq "$(add 2 3)" 6 "it adds"'],
    ["assert_eq 5 $(add 2 (3)) 'it adds'", "assert_eq 6 $(add 2 (3)) 'it addt'"],
    ['case "$1" in\n  -v) v=1 ;;\n  *) exit 1 ;;\nesac', 'case "$1" in\n  -v) v=1 ;;\n  *) exit 1 ;;\nesac'],
    ["for ((i=0; i<5; i++)); do :; done", "for ((i=0; i<5; i++)); do :; done"],
    ["cat > a <<END\n5\nEND", "cat > a <<END\n5\nEND"],
    ["x=$((a == 5))", "x=$((a == 5))"],
    ["make check", "make check"],
  ])("is edited as a person would: %s", async (before, after) => {
    expect(await spoil(before)).toBe(after);
  });
});

describe("a spoiled Makefile", () => {
  it.each([
    ['check:\n\t. ./lib.sh; test "$$(add 2 3)" = 5\n', 'check:\n\t. ./lib.sh; test "$$(add 2 3)" = 6\n'],
    ["check: a\n\t@./a | \\\n\t  grep -qx 5\n", "check: a\n\t@./a | \\\n\t  grep -qx 5qzj\n"],
    ["check:\n\t-test 1 = 1\n", "check:\n\t-test 1 = 1\n"],
    ["A = $(shell test 1 = 1)\nifeq (1, 1)\nendif\n", "A = $(shell test 1 = 1)\nifeq (1, 1)\nendif\n"],
  ])("expects something else in its recipes: %j", async (before, after) => {
    const [spoilt] = await spoilExpectations([{ path: "sub/Makefile", text: before }], { runPython });
    expect(spoilt?.content ?? before).toBe(after);
  });
});
