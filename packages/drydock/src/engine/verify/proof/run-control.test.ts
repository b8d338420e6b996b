import { expect, it } from "vitest";
import { type CheckFinding, failed, passed } from "../check-finding.ts";
import type { JudgedTree } from "../judged-tree.ts";
import { makeTree } from "../testing/directory-tree.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { runControl } from "./run-control.ts";

const ID = "test/add.test.js > adds";
const FILE = "test/add.test.js";
const LINES = Array.from({ length: 8 }, (_, n) => `  assert.equal(add(${n}, 0), ${n});`).join("\n");
const TEST = `import test from "node:test";
import assert from "node:assert";
import { add } from "../add.js";
test("adds", () => {
${LINES}
});
`;

function editable(files: Record<string, string>): JudgedTree {
  return {
    ...makeTree(files),
    edit: async (edits) => {
      const changed = edits.flatMap((each) => ("content" in each ? [[each.path, String(each.content)] as const] : []));
      return editable({ ...files, ...Object.fromEntries(changed) });
    },
  };
}

/** How many controls are run for a check that took so long on the untouched tree and with the change. */
async function countControls(untouchedMs: number, judgedMs: number): Promise<number> {
  let runs = 0;
  const tests = (outcome: string) => [{ id: ID, outcome, runner: "node", file: FILE }];
  const report = {
    ...{ exitCode: 1, services: [], runners: [{ name: "node", complete: true }], named: [], modules: [] },
    ...{ tests: tests("failed"), searchPath: [], files: [{ path: FILE, how: "run", by: null }], replaced: [] },
    ...{ retried: [], caught: [], sought: [], looked: [], operators: [], decided: [], truncated: false },
  };
  const record = {
    ...{ treeHash: "", passed: false, reason: "", report, observed: null, wrote: [], programs: [] },
    durationMs: untouchedMs,
  } as unknown as CheckRecord;
  const judge: ChangeOptions["judge"] = async (_check, { tree }) => {
    runs++;
    const text = String(await tree.read(FILE));
    const isRight = [...text.matchAll(/add\((\d), 0\), (.+)\);/g)].every(
      ([, given, wanted]) => new Function(`return ${wanted};`)() === Number(given),
    );
    const ran = { report: { tests: tests(isRight ? "passed" : "failed") }, observed: null, wrote: [] };
    return { ...(isRight ? passed("") : failed("exit_code", "Status 1.")), ran } as unknown as CheckFinding;
  };
  const baseline = {
    ...{ recordsOf: async () => [record], secondOf: async () => null, inputs: new Map(), testSide: new Map() },
    ...{ changed: [{ path: "add.js", kind: "changed" }], released: new Set() },
  };
  const tree = editable({ "add.js": "export const add = (a, b) => a + b;\n", [FILE]: TEST });
  const options = {
    ...{ check: { type: "command", cmd: "node --test" }, baseline, context: { tree, pin: [] }, mayChange: () => false },
    ...{ judge, runPython: async () => "[]", salt: "salt", durationMs: judgedMs },
  } as unknown as ChangeOptions;
  await runControl(options, [record], { newlyPassing: [ID], added: [] });
  return runs;
}

it("a change that sleeps has as many controls as one that does not", async () => {
  const quick = await countControls(100, 100);
  expect(await countControls(100, 60_000)).toBe(quick);
  expect(await countControls(60_000, 60_000)).toBeLessThan(quick);
});
