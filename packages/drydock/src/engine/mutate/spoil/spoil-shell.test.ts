import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { spoilExpectations } from "./spoil-expectations.ts";
import { runPython } from "./testing/run-python.ts";

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
    "diff <(add 2 3) <(echo 5)",
    "diff <(add 2 3) <(echo '5') || exit 1",
  ])("fails for an honest program: %s", async (test) => {
    const run = (text: string) => spawnSync("bash", ["-c", SUBJECT + text]).status;
    expect(run(test)).toBe(0);
    expect(run(await spoil(test))).not.toBe(0);
  });

  it.each([
    ['  [ "$status" -eq 0 ]', '  [ "$status" -eq 1 ]'],
    ['  [ "$output" = "done" ]', '  [ "$output" = "donf" ]'],
    ["  assert_success", "  assert_failure"],
    ['  assert_output --partial "done"', '  assert_output --partial "donf"'],
    ['  assert_equal "$output" "5"', '  assert_equal "$output" "6"'],
    ["# [ 1 = 1 ]", "# [ 1 = 1 ]"],
    ["cp a b", "cp a b"],
  ])("is edited as a person would: %s", async (before, after) => {
    expect(await spoil(before)).toBe(after);
  });
});
