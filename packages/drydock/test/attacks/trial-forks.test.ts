import { afterAll, beforeAll, expect, test } from "vitest";
import { REPAIR_DRIVER } from "../../src/engine/repair/python/driver.ts";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";
import { HARM } from "./trial-forks-harm.ts";

const CALC = "import harm\n\nLIMIT = 0\n\ndef act():\n    return 0\n";
const FILES = {
  "harm.py": HARM,
  "calc.py": CALC,
  "test_calc.py": "import calc\n\ndef test_act():\n    assert calc.act() + calc.LIMIT == 3\n",
};

/** Each is a candidate: an expression in the place of what `act` returns. */
const HARMS = [
  ...["leave_processes()", "write_everywhere()", "delete_everything()", "open_sockets()", "share_memory()"],
  ...["kill_all()", "stop_all()", "answer_for_others()", "forge_results()", "patch_the_framework()", "end_early()"],
  ...["fork_without_end()", "fill_the_memory()", "swell()", "sleep_on()", "enter_namespaces()", "trace_others()"],
];

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

interface Candidate {
  id: number;
  code: string;
  edits: [string, number, number, string][];
}

/** What is said of candidates, in one sandbox. */
async function tryAll(candidates: Candidate[]) {
  const request = {
    ...{ job: "tests", kind: "pytest", run: "pytest", name: "pytest", args: [], environment: {}, expected: 0 },
    ...{ files: ["calc.py"], failing: ["test_calc.py::test_act"], first: 1, passing: [], others: [], errors: 0 },
    ...{ testSeconds: 3, wallSeconds: 6, loadSeconds: 3, seconds: 300, patience: 5, isHot: true, memoryMb: 200 },
    ...{ modules: [], hasHosts: false, candidates },
  };
  const { stdout, stderr, error } = await dock.run(dock.makeWorkspace(FILES), {
    ...{ layer: null, command: ["python3", "-c", REPAIR_DRIVER], stdin: JSON.stringify(request), forks: true },
    ...{ timeoutSeconds: 400, environment: { PYTHONDONTWRITEBYTECODE: "1" } },
  });
  expect(error, stderr + stdout.slice(-400)).toBeNull();
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** In the place of what `act` returns; `where` is the number that is replaced. */
function replace(id: number, code: string, where = CALC.lastIndexOf("0")): Candidate {
  return { id, code, edits: [["calc.py", where, where + 1, code]] };
}

/** After each candidate that does harm, one looks for traces of it, and is right if there are none. */
const probed = HARMS.flatMap((harm, at) => [
  replace(3 * at, `harm.${harm}`),
  replace(3 * at + 1, "harm.find_nothing()"),
  replace(3 * at + 2, "1"),
]);

test("what a candidate does in a trial fork reaches neither the next one nor who judges it", async () => {
  const lines = await tryAll(probed);
  expect(lines.filter((line) => line.copies === false)).toEqual([]);
  const judged = new Map(lines.filter((line) => "candidate" in line).map((line) => [line.candidate, line.fixed]));
  for (const { id, code } of probed) expect([code, probed[id - 1]?.code, judged.get(id)]).toEqual(expectFor(id, code));
}, 300_000);

/** Harm may forge its own result, and nothing else. */
function expectFor(id: number, code: string): unknown[] {
  const isHarm = id % 3 === 0;
  return [code, probed[id - 1]?.code, isHarm ? expect.any(Number) : id % 3 === 1 ? 1 : 0];
}

test("candidates that load everything anew are kept apart as well", async () => {
  const at = CALC.indexOf("0");
  const lines = await tryAll([
    replace(0, "harm.write_everywhere()", at),
    replace(1, "harm.find_nothing()", at),
    replace(2, "harm.leave_processes()", at),
    replace(3, "harm.find_nothing()", at),
  ]);
  expect(lines.filter((line) => "candidate" in line).map(({ fixed }) => fixed)).toEqual([0, 1, 0, 1]);
  expect(lines.filter((line) => line.copies === false)).toEqual([]);
}, 120_000);
