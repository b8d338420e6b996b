import type { Run } from "@drydock/protocol";
import pico from "picocolors";
import { expect, test } from "vitest";
import { readCosts } from "../read-costs.ts";
import { renderRuns } from "./render-runs.ts";

const terminal = { outColors: pico.createColors(false), columns: 200 };
const run = (id: string, more: Partial<Run> = {}) =>
  ({
    ...{ id, kind: "goal", status: "succeeded", verdict: "passed", errorCode: null, title: "Fix add()", events: 20 },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:03.000Z", ...more },
  }) as Run;

test("a list names durations and verdicts, and what models cost where a run asked one", () => {
  const runs = [run("run_a"), run("run_b", { kind: "exec", verdict: "unverified" })];
  const [head = "", first = "", second = ""] = renderRuns(runs, terminal, new Map([["run_a", "$0.0123"]])).split("\n");
  expect(head.split(/\s+/)).toEqual(["ID", "STARTED", "TOOK", "COST", "STATUS", "VERDICT", "TITLE"]);
  expect(first).toMatch(/ 3\.0 s +\$0\.0123 +succeeded +passed +Fix add\(\)/);
  expect(second).toMatch(/ 3\.0 s +- +succeeded +- +Fix add\(\)/);
  expect(renderRuns(runs, terminal)).not.toContain("COST");
});

test("a run that is under way has taken so much so far", () => {
  const now = run("run_a", { status: "running", endedAt: null, createdAt: new Date(Date.now() - 5000).toISOString() });
  expect(renderRuns([now], terminal)).toMatch(/ s so far +running/);
});

test("what a run cost is read from its end, and is not known where a price is missing", async () => {
  const tokens = { inputTokens: 5, outputTokens: 0 };
  const endings = new Map<string, object>([
    ["run_a", { usage: { ...tokens, calls: 2, costUsd: 0.5 } }],
    ["run_b", { usage: { ...tokens, calls: 1, costUsd: null } }],
    ["run_c", { usage: { ...tokens, calls: 0, costUsd: 0 } }],
    // What the host has measured counts before what a runner says of itself.
    ["run_f", { usage: { input_tokens: 9 }, spent: { ...tokens, calls: 1, costUsd: 0.00001 } }],
  ]);
  const requests: number[] = [];
  const ledger = {
    async events(id: string, { afterSeq = -1 } = {}) {
      requests.push(afterSeq);
      const ended = { type: "run.succeeded", data: endings.get(id) };
      return [ended, { type: "layer.applied", data: {} }] as never;
    },
  };
  const runs = [
    run("run_a"),
    run("run_b"),
    run("run_c"),
    run("run_d", { kind: "exec" }),
    run("run_e", { endedAt: null }),
    run("run_f", { kind: "runner" }),
  ];
  expect([...(await readCosts(ledger, runs))]).toEqual([
    ["run_a", "$0.5000"],
    ["run_b", "?"],
    ["run_f", "<$0.0001"],
  ]);
  // Not the whole record of each.
  expect(requests).toEqual([11, 11, 11, 11]);
});
