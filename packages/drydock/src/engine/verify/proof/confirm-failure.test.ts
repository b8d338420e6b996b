import { deflateSync } from "node:zlib";
import type { Check, TestOutcome } from "@drydock/protocol";
import { expect, it, vi } from "vitest";
import { resolvePolicy } from "../../../policy/index.ts";
import type { TreeRunner } from "../../ports.ts";
import { judgeTree } from "../judge-tree.ts";
import { makeTree } from "../testing/directory-tree.ts";
import { beginConfirmation } from "./confirm-failure.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { createMemoryStore } from "./records/memory-store.ts";

const policy = resolvePolicy({ home: null, workspace: null }).effective;
const TEST = "from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n";
const BEFORE = makeTree({ "calc.py": "x", "tests/test_calc.py": TEST });
const AFTER = makeTree({ "calc.py": "y", "tests/test_calc.py": TEST });
const CHECK: Check = { type: "command", cmd: "pytest -q" };
const [ADD, SUB] = ["tests/test_calc.py::test_add", "tests/test_calc.py::test_sub"];

/** The outcome of each test; a number: only an exit status, without a test runner. */
type Answer = Record<string, TestOutcome> | number;

function describeAnswer(answer: Answer): Record<string, unknown> {
  const tests = typeof answer === "object" ? Object.entries(answer) : [];
  const lines = tests.map(([id, outcome]) => ["test", "pytest", id, outcome, "tests/test_calc.py"]);
  const runner = [["start", "pytest", "1"], ...lines, ["end", "pytest", "1"]];
  const failing = tests.some(([, outcome]) => outcome === "failed");
  const exitCode = typeof answer === "number" ? answer : Number(failing);
  const text = (typeof answer === "object" ? runner : []).map((line) => JSON.stringify(line)).join("\n");
  return {
    ...{ exitCode, services: [], truncated: false, root: "/work" },
    lines: deflateSync(text).toString("base64"),
  };
}

/** Judges with a runner that gives these answers on the untouched tree, one after the other, and this one on the new tree. */
function open(before: readonly Answer[], after: Answer) {
  const seen: string[] = [];
  const answers = [...before];
  const runner: TreeRunner = {
    async run({ layer, aside, stdin = "{}" }) {
      // A sandbox without runs that are beside others: these tests count what is left.
      if (aside) throw new Error("no such runs");
      if (!layer) throw new Error("every tree of these tests has a layer");
      const { marker } = JSON.parse(stdin);
      const isBefore = layer.treeHash === BEFORE.treeHash;
      const isAfter = layer.treeHash === AFTER.treeHash;
      const spoilt = typeof after === "object" ? { ...after, [ADD]: "failed" as const } : 1;
      const answer = isBefore ? (answers.shift() ?? before.at(-1) ?? 0) : isAfter ? after : spoilt;
      if (marker && (isBefore || isAfter)) seen.push(isBefore ? "before" : "after");
      const stderr = marker ? `\n${marker}${JSON.stringify(describeAnswer(answer))}\n` : "";
      const usage = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };
      const ended = { ok: true, stdout: marker ? "" : "[]", result: null, error: null, usage, exitCode: 0 };
      return { ...ended, stderr, layer, changedUnderneath: [] };
    },
  };
  const records = createMemoryStore();
  const judge = (check = CHECK, own: TreeRunner = runner) =>
    judgeTree({ policy, runner: own, records, checks: [check], tree: AFTER, before: BEFORE, scope: ["**"] });
  return { judge, seen, records, runner };
}

it("a failure that the untouched tree shows twice is proof, and takes one run more", async () => {
  const t = open([{ [ADD]: "failed" }], { [ADD]: "passed" });
  const { checks } = await t.judge();
  expect(checks[0]).toMatchObject({ verdict: "passed", alsoPassesBefore: false, tests: { newlyPassing: [ADD] } });
  expect(checks[0]?.doubt ?? "").not.toContain("only sometimes");
  expect(t.seen).toEqual(["before", "after", "before"]);
});

it("one that it shows only once is none, and is off the record", async () => {
  const t = open([{ [ADD]: "failed" }, { [ADD]: "passed" }], { [ADD]: "passed" });
  const { verdict, doubt, checks } = await t.judge();
  expect(verdict).toBe("unproven");
  expect(doubt).toContain(`${ADD} failed only sometimes on the untouched tree`);
  const tests = { newlyPassing: [], counts: { newlyPassing: 0, stillPassing: 1 } };
  expect(checks[0]).toMatchObject({ verdict: "passed", alsoPassesBefore: true, proves: false, tests });
  const again = await t.judge();
  expect(again).toMatchObject({ verdict: "unproven", checks: [{ alsoPassesBefore: true, tests }] });
  expect(t.seen).toEqual(["before", "after", "before", "after"]);
});

it("a failure that was shown twice is not looked for a third time", async () => {
  const t = open([{ [ADD]: "failed" }, { [ADD]: "failed" }, { [ADD]: "passed" }], { [ADD]: "passed" });
  const first = await t.judge();
  const again = await t.judge();
  expect(t.seen).toEqual(["before", "after", "before", "after"]);
  expect(again.checks[0]?.tests).toEqual(first.checks[0]?.tests);
  expect(again).toMatchObject({ verdict: first.verdict, checks: [{ alsoPassesBefore: false }] });
});

it.each([
  ["another definition of the check", { ...CHECK, expect_exit_code: 0 }],
  ["more time", { ...CHECK, timeout: 60 }],
])("it counts for this very check only: %s", async (_, other) => {
  const t = open([{ [ADD]: "failed" }], { [ADD]: "passed" });
  await t.judge();
  await t.judge(other);
  expect(t.seen).toEqual(["before", "after", "before", "before", "after", "before"]);
});

it("it counts for an hour: what fails at one time of the day may pass at another", async () => {
  const t = open([{ [ADD]: "failed" }, { [ADD]: "failed" }, { [ADD]: "passed" }], { [ADD]: "passed" });
  await t.judge();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60 * 1000 });
  try {
    expect(await t.judge()).toMatchObject({ verdict: "unproven", doubt: expect.stringContaining("only sometimes") });
    expect(t.seen).toEqual(["before", "after", "before", "after", "before"]);
  } finally {
    vi.useRealTimers();
  }
});

it("one that was taken in the future does not count: the clock was set back", async () => {
  const t = open([{ [ADD]: "failed" }], { [ADD]: "passed" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5000 });
  try {
    await t.judge();
  } finally {
    vi.useRealTimers();
  }
  await t.judge();
  expect(t.seen).toEqual(["before", "after", "before", "after", "before"]);
});

it("it counts for the tests that it shows, and no others", async () => {
  const both = { [ADD]: "failed", [SUB]: "failed" } as const;
  const t = open([both, { [ADD]: "failed" }, both], { [ADD]: "passed", [SUB]: "passed" });
  await t.judge();
  await t.judge();
  expect(t.seen).toEqual(["before", "after", "before", "after", "before"]);
});

it("a command without a test runner is confirmed each time", async () => {
  const t = open([1, 1, 0], 0);
  await t.judge();
  expect(await t.judge()).toMatchObject({ verdict: "unproven", doubt: expect.stringContaining("only sometimes") });
});

it("a second run over a directory that changed meanwhile is not kept", async () => {
  const t = open([{ [ADD]: "failed" }], { [ADD]: "passed" });
  let changes = 0;
  const moving: TreeRunner = {
    async run(request) {
      const result = await t.runner.run(request);
      const isSecond = t.seen.length === 3 && changes++ === 0;
      return isSecond ? { ...result, changedUnderneath: ["calc.py"] } : result;
    },
  };
  expect((await t.judge(CHECK, moving)).repeated).toBe(1);
  expect(t.seen).toEqual(["before", "after", "before", "after", "before"]);
});

it("what else was mended is proof still, without the test that only fails sometimes", async () => {
  const first = { [ADD]: "failed", [SUB]: "failed" } as const;
  const t = open([first, { ...first, [SUB]: "passed" }], { [ADD]: "passed", [SUB]: "passed" });
  const { checks } = await t.judge();
  expect(checks[0]).toMatchObject({ tests: { newlyPassing: [ADD], counts: { stillPassing: 1 } } });
  expect(checks[0]?.doubt ?? "").not.toContain("only sometimes");
});

it("another test that fails each time is no proof either", async () => {
  const t = open(
    [
      { [ADD]: "failed", [SUB]: "passed" },
      { [ADD]: "passed", [SUB]: "failed" },
    ],
    {
      ...{ [ADD]: "passed", [SUB]: "passed" },
    },
  );
  expect(await t.judge()).toMatchObject({ verdict: "unproven", doubt: expect.stringContaining("only sometimes") });
  expect(await t.judge()).toMatchObject({ verdict: "unproven", checks: [{ alsoPassesBefore: true }] });
});

it("a command without a test runner is run again as a whole", async () => {
  const { verdict, doubt } = await open([1, 0], 0).judge();
  expect(verdict).toBe("unproven");
  expect(doubt).toContain("`pytest -q` failed only sometimes");
  expect((await open([1, 1], 0).judge()).doubt ?? "").not.toContain("only sometimes");
});

const keepSecond = async () => {};

function recordOf(report: object): CheckRecord {
  return { passed: false, durationMs: 300_000, report: { exitCode: null, stalled: false, ...report } } as CheckRecord;
}

it("a test that never ends is not waited for again, and one that ran out of time not for long", async () => {
  const requests: (number | undefined)[] = [];
  const judge: ChangeOptions["judge"] = async ({ timeout }) => {
    requests.push(timeout);
    return { verdict: "failed", code: "timeout", reason: "", evidence: {} };
  };
  const options = {
    check: CHECK,
    baseline: { before: BEFORE, keepSecond },
    context: {},
    durationMs: 1000,
    judge,
  } as unknown as ChangeOptions;
  expect(await beginConfirmation(options, [recordOf({ stalled: true })]).take()).toBeNull();
  expect(requests).toEqual([]);
  for (const exitCode of [null, 1]) await beginConfirmation(options, [recordOf({ exitCode })]).take();
  expect(requests).toEqual([12, 610]);
});

it("a run that nobody waits for is ended", async () => {
  let ended: AbortSignal | undefined;
  const judge: ChangeOptions["judge"] = (_, { signal }) => {
    ended = signal;
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("ended"))));
  };
  const options = {
    check: CHECK,
    baseline: { before: BEFORE, keepSecond },
    context: {},
    durationMs: 1000,
    judge,
  } as unknown as ChangeOptions;
  await beginConfirmation(options, [recordOf({})]).end();
  expect(ended?.aborted).toBe(true);
});
