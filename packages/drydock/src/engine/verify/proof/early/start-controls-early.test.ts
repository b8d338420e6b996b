import { availableParallelism } from "node:os";
import { DrydockError } from "@drydock/protocol";
import { expect, it, vi } from "vitest";
import { type CheckFinding, failed, passed } from "../../check-finding.ts";
import type { JudgedTree } from "../../judged-tree.ts";
import { makeTree } from "../../testing/directory-tree.ts";
import type { ChangeOptions } from "../judge-change.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { runControl } from "../run-control.ts";
import { startControlsEarly } from "./start-controls-early.ts";

const TEST = `import test from "node:test";
import assert from "node:assert";
import { add } from "../add.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;
const ID = "test/add.test.js > adds";
const FILES = { "add.js": "export const add = (a, b) => a + b;\n", "test/add.test.js": TEST };

function editable(files: Record<string, string>): JudgedTree {
  return {
    ...makeTree(files),
    edit: async (edits) =>
      editable({
        ...files,
        ...Object.fromEntries(edits.map((each) => ["content" in each ? [each.path, String(each.content)] : []].flat())),
      }),
  };
}

function recordOf(changed: Partial<CheckRecord>): CheckRecord {
  const report = {
    ...{ exitCode: 1, services: [], runners: [{ name: "node", complete: true }], named: [], modules: [] },
    ...{ tests: [{ id: ID, outcome: "failed", runner: "node", file: "test/add.test.js" }], searchPath: [] },
    ...{
      files: [{ path: "test/add.test.js", how: "run", by: null }],
      replaced: [],
      retried: [],
      caught: [],
      sought: [],
      looked: [],
      operators: [],
      decided: [],
      truncated: false,
    },
  };
  const record = { treeHash: "", passed: false, reason: "", report, observed: null, wrote: [], programs: [] };
  return { ...record, durationMs: 100, ...changed } as unknown as CheckRecord;
}

async function runTest(text: string): Promise<CheckFinding> {
  // Whatever way the expected number is written in.
  const wanted = /add\(1, 2\), (.+)\)\);/.exec(text)?.[1] ?? "";
  const isRight = new Function(`return ${wanted};`)() === 3;
  const tests = [{ id: ID, outcome: isRight ? "passed" : "failed", runner: "node", file: "test/add.test.js" }];
  const ran = { report: { tests }, observed: null, wrote: [] } as unknown as CheckFinding["ran"];
  return { ...(isRight ? passed("") : failed("exit_code", "Status 1.")), ran };
}

/** Whoever judges, with a list of what was run. */
function open(record: CheckRecord, answer: (text: string) => Promise<CheckFinding> = runTest, second = record) {
  const runs: { text: string; signal?: AbortSignal }[] = [];
  const judge: ChangeOptions["judge"] = async (_check, { tree, signal }) => {
    const text = String(await tree.read("test/add.test.js"));
    runs.push({ text, signal });
    return answer(text);
  };
  const tree = editable(FILES);
  const changed = [{ path: "add.js", kind: "changed" }];
  const baseline = {
    recordsOf: async () => [record],
    secondOf: async () => second,
    changed,
    inputs: new Map(),
    testSide: new Map(),
    released: new Set(),
  };
  const options = {
    ...{ check: { type: "command", cmd: "node --test" }, baseline, context: { tree, pin: [] }, mayChange: () => false },
    ...{ judge, runPython: async () => "[]", salt: "salt", durationMs: 100 },
  } as unknown as ChangeOptions;
  return { options, runs, ahead: startControlsEarly(options) };
}

const FAILED = recordOf({});
const COMPARED = { newlyPassing: [ID], added: [] };

it("runs the controls that will be asked for, and each of them once", async () => {
  const t = open(FAILED);
  await vi.waitFor(() => expect(t.runs.length).toBe(2), { timeout: 50_000 });
  expect(t.runs.every(({ text }) => text !== TEST)).toBe(true);
  await runControl({ ...t.options, judge: t.ahead.take(t.options.judge) }, [FAILED], COMPARED);
  await t.ahead.end();
  expect(t.runs.length).toBe(2);
});

it("leaves a control for the time at which the failure without the change is confirmed", async () => {
  const held = Promise.withResolvers<void>();
  const t = open(FAILED, (text) => held.promise.then(() => runTest(text)), recordOf({ passed: true, report: null }));
  const begun = Math.min(2, availableParallelism() - 1);
  await vi.waitFor(() => expect(t.runs.length).toBe(begun));
  const request = runControl({ ...t.options, judge: t.ahead.take(t.options.judge) }, [FAILED], COMPARED);
  await vi.waitFor(() => expect(t.runs.length).toBe(2));
  held.resolve();
  await request;
  await t.ahead.end();
  expect(t.runs.length).toBe(2);
});

it("begins nothing that the judge has asked for first", async () => {
  const t = open(FAILED);
  // The judged run was over before the records were read: both sides begin at once.
  await runControl({ ...t.options, judge: t.ahead.take(t.options.judge) }, [FAILED], COMPARED);
  await t.ahead.end();
  expect(t.runs.length).toBe(2);
  expect(new Set(t.runs.map(({ text }) => text)).size).toBe(2);
});

it("runs again what is asked for twice", async () => {
  const t = open(FAILED);
  await vi.waitFor(() => expect(t.runs.length).toBe(2), { timeout: 50_000 });
  const judge = t.ahead.take(t.options.judge);
  for (let round = 0; round < 2; round++) {
    await runControl({ ...t.options, judge }, [FAILED], COMPARED);
  }
  await t.ahead.end();
  expect(t.runs.length).toBe(4);
});

it("forgets a run that could not happen", async () => {
  const t = open(FAILED, async () => {
    throw new DrydockError("limit.concurrency", "Too many.", "Wait.");
  });
  await vi.waitFor(() => expect(t.runs.length).toBe(2), { timeout: 50_000 });
  await expect(runControl({ ...t.options, judge: t.ahead.take(t.options.judge) }, [FAILED], COMPARED)).rejects.toThrow(
    "Too many.",
  );
  expect(t.runs.length).toBeGreaterThan(2);
  await t.ahead.end();
});

it("ends what nobody asks for", async () => {
  const held = Promise.withResolvers<CheckFinding>();
  const t = open(FAILED, () => held.promise);
  await vi.waitFor(() => expect(t.runs.length).toBe(2), { timeout: 50_000 });
  const ended = t.ahead.end();
  expect(t.runs.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  held.resolve(passed(""));
  await ended;
});

it.each([
  ["the check passed before", recordOf({ passed: true })],
  ["the check takes long", recordOf({ durationMs: 2000 })],
])("runs nothing where %s", async (_, record) => {
  const t = open(record);
  await t.ahead.end();
  expect(t.runs).toEqual([]);
});
