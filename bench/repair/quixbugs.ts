import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";

/** A line of JSON: the arguments, and what the program returns. Read by Python only: JavaScript would make an int of 3.0. */
type Case = string;

/** Programs that return a generator, and those whose result is compared in another way. */
const COMPARED: Readonly<Record<string, string>> = {
  sqrt: "abs(result - expected) <= args[1]",
  hanoi: "result == [tuple(step) for step in expected]",
  flatten: "list(result) == expected",
  kheapsort: "list(result) == expected",
};
const SLOW_SECONDS = 5;

/**
 * Makes `place/PROGRAM/visible` and `place/PROGRAM/held` of a checkout of QuixBugs: the program as it is, each with half of
 * its cases as tests. A case for which the correct program takes longer than five seconds is left out.
 */
export async function makeQuixBugs(
  dock: Dock,
  checkout: string,
  place: string,
  only: readonly string[],
): Promise<void> {
  const programs = readdirSync(join(checkout, "python_programs"))
    .map((name) => name.replace(/\.py$/, ""))
    .filter((name) => existsSync(join(checkout, "python_testcases", `test_${name}.py`)))
    .filter((name) => only.length === 0 || only.includes(name));
  for (const program of programs) {
    const cases = join(checkout, "json_testcases", `${program}.json`);
    const halves = existsSync(cases)
      ? splitCases(program, await listQuickCases(dock, checkout, program, readFileSync(cases, "utf8")))
      : splitFunctions(readFileSync(join(checkout, "python_testcases", `test_${program}.py`), "utf8"));
    for (const [name, tests] of Object.entries(halves)) {
      const directory = join(place, program, name);
      mkdirSync(directory, { recursive: true });
      for (const file of existsSync(cases) ? [program] : [program, "node"]) {
        copyFileSync(join(checkout, "python_programs", `${file}.py`), join(directory, `${file}.py`));
      }
      writeFileSync(join(directory, `test_${program}.py`), tests);
    }
  }
}

/** Whether a program has cases in JSON: the others have tests in Python. */
export function hasCases(checkout: string, program: string): boolean {
  return existsSync(join(checkout, "json_testcases", `${program}.json`));
}

async function listQuickCases(dock: Dock, checkout: string, program: string, text: string): Promise<Case[]> {
  const cases: Case[] = text.split("\n").filter((line) => line.trim() !== "");
  const source = readFileSync(join(checkout, "correct_python_programs", `${program}.py`), "utf8");
  const code = `import json, signal
exec(compile(${JSON.stringify(source)}, "correct", "exec"), globals())
def late(number, frame):
    raise TimeoutError()
signal.signal(signal.SIGALRM, late)
quick = []
for number, (args, expected) in enumerate(json.loads(${toPythonText(cases)})):
    signal.alarm(${SLOW_SECONDS})
    try:
        result = ${program}(*(args if isinstance(args, list) else [args]))
        list(result) if hasattr(result, "__next__") else None
        quick.append(number)
    except TimeoutError:
        pass
    signal.alarm(0)
print(json.dumps(quick))
`;
  const { stdout, error } = await dock.exec({ language: "python", code, policy: { limits: { memoryMb: 2048 } } });
  if (error) throw new Error(`${program}: ${error.message}`);
  const quick: number[] = JSON.parse(stdout);
  return cases.filter((_, index) => quick.includes(index));
}

function toPythonText(cases: readonly Case[]): string {
  return JSON.stringify(`[${cases.join(",")}]`);
}

function splitCases(program: string, cases: readonly Case[]): Record<string, string> {
  const write = (half: readonly Case[]) => `import json

import pytest
from ${program} import ${program}

CASES = json.loads(${toPythonText(half)})


@pytest.mark.parametrize("args,expected", CASES)
def test_${program}(args, expected):
    args = args if isinstance(args, list) else [args]
    result = ${program}(*args)
    assert ${COMPARED[program] ?? "result == expected"}
`;
  const visible = cases.filter((_, index) => index % 2 === 0);
  const held = cases.filter((_, index) => index % 2 === 1);
  return { visible: write(visible), held: write(held.length > 0 ? held : visible) };
}

/** Every other test function; what stands above the first one goes with both halves. */
function splitFunctions(text: string): Record<string, string> {
  const plain = text
    .replace(
      /if pytest\.use_correct:\n.*?\nelse:\n {4}from python_programs\.(\w+) import (\w+)\n/s,
      "from $1 import $2\n",
    )
    .replace(/^import pytest\n/, "");
  const [head = "", ...functions] = plain.split(/^(?=def test)/m);
  const visible = functions.filter((_, index) => index % 2 === 0);
  const held = functions.filter((_, index) => index % 2 === 1);
  return { visible: head + visible.join(""), held: head + (held.length > 0 ? held : visible).join("") };
}
