import pico from "picocolors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderError } from "../../terminal/render/render-error.ts";
import { renderEdit, renderExplanation } from "../../terminal/render/render-policy.ts";
import { renderBytes, renderDuration } from "../../terminal/render/render-quantities.ts";
import { renderRollback, renderSessions } from "../../terminal/render/render-sessions.ts";
import { renderAudit } from "./render-audit.ts";
import { renderDoctor } from "./render-doctor.ts";
import { renderEvents } from "./render-events.ts";
import { renderDiff, renderRun, renderRuns } from "./render-runs.ts";

const outColors = pico.createColors(false);
const terminal = { outColors, columns: undefined };
const zone = process.env.TZ;

beforeAll(() => {
  process.env.TZ = "Asia/Tokyo";
});

afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const run = {
  id: "run_1",
  kind: "exec",
  status: "failed",
  verdict: "unverified",
  title: "python: 1/0\u001b[31m",
  sessionId: null,
  workspace: null,
  errorCode: "code.exception",
  treeHash: null,
  createdAt: "2026-01-31T15:04:05.000Z",
  endedAt: "2026-01-31T15:04:05.120Z",
  events: 3,
  headHash: "abc",
} as const;

describe("reports for people", () => {
  it("shows runs in local time, the title harmless", () => {
    const goal = { ...run, id: "run_2", kind: "goal", verdict: "unproven", errorCode: null, title: "Fix it" } as const;
    expect(renderRuns([run, goal], terminal)).toBe(
      [
        "ID     STARTED                TOOK  STATUS          VERDICT   TITLE",
        "run_1  2026-02-01 00:04:05  120 ms  code.exception  -         python: 1/0\\x1b[31m",
        "run_2  2026-02-01 00:04:05  120 ms  failed          unproven  Fix it",
        "",
      ].join("\n"),
    );
    expect(renderRuns([], terminal)).toBe("No runs.\n");
  });

  it("shows one run with its artifacts", () => {
    const artifacts = [{ id: "art_1", name: "a.csv", mime: "text/csv", size: 10, sha256: "00" }];
    const text = renderRun(
      {
        ...run,
        artifacts,
        spent: { calls: 1, inputTokens: 1200, outputTokens: 34, costUsd: 0.5 },
        reason: "",
        checks: [],
        strength: null,
        error: null,
        follows: null,
        followedBy: [],
        deliveries: [],
        permissions: [],
      },
      outColors,
    );
    expect(text).toContain("status     failed (code.exception)\n");
    expect(text).toContain("models     1 call, 1,234 tokens, $0.5000\n");
    expect(text).toContain("artifact   a.csv (text/csv, 10 B, art_1)\n");
  });

  it("paints diffs for people, and leaves them as they are for programs", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c\n";
    expect(renderDiff(diff, { outColors, isOutputTerminal: false })).toBe(diff);
    expect(renderDiff(diff, { outColors: pico.createColors(true), isOutputTerminal: true })).toContain(
      "\u001b[32m+b\u001b[39m\n c\n",
    );
  });

  it("shows events one a line", () => {
    const event = { runId: "run_1", prevHash: "", hash: "", at: run.createdAt };
    const events = [
      { ...event, seq: 0, type: "run.created" as const, data: { title: "x" } },
      { ...event, seq: 1, type: "run.succeeded" as const, data: {} },
    ];
    expect(renderEvents(events, terminal)).toBe(
      [
        '   0  2026-02-01 00:04:05  run.created        {"title":"x"}',
        "   1  2026-02-01 00:04:05  run.succeeded      {}",
        "",
      ].join("\n"),
    );
  });

  it("says whether the chain holds, or names what is wrong", () => {
    expect(renderAudit({ ok: true, runs: 1, events: 3, head: { position: 2, hash: "ff" } }, outColors)).toBe(
      "✓ The hash chain is intact: 1 run, 3 events.\n  head 2 ff\n",
    );
    const first = { runId: "run_1", seq: 2, problem: "the event was changed" };
    expect(renderAudit({ ok: false, runs: 2, events: 9, first }, outColors)).toBe(
      "✗ run_1, event 2: the event was changed\n  (checked: 2 runs, 9 events)\n",
    );
  });

  it("shows what the machine can do, with remedies and ratios", () => {
    const report = {
      ok: true,
      level: "rlimits" as const,
      findings: [
        { name: "python", state: "ok" as const, detail: "/usr/bin/python3" },
        { name: "cgroups", state: "limited" as const, detail: "read-only", remedy: "Run as root." },
      ],
      timings: [{ name: "python", bareMs: 17.3, dockMs: 1.73 }],
    };
    expect(renderDoctor(report, outColors)).toBe(
      [
        "✓ python   /usr/bin/python3",
        "! cgroups  read-only",
        "  remedy: Run as root.",
        "",
        "✓ The sandbox works here, at the level rlimits.",
        "",
        "START TIME   BARE    DOCK  RATIO",
        "python      17 ms  1.7 ms   0.10",
        "",
      ].join("\n"),
    );
    expect(renderDoctor({ ...report, ok: false, timings: [] }, outColors)).toContain("✗ The sandbox can't run here.\n");
  });

  it("shows where the values of a policy come from", () => {
    const rows = [
      { key: "limits.wallSeconds", value: 60, ceiling: 300, source: "home" as const, where: "/h/policy.yaml:3" },
      { key: "network.allow", value: [], ceiling: [], source: "system" as const, where: "" },
    ];
    expect(renderExplanation(rows, terminal)).toBe(
      [
        "KEY                 VALUE  CEILING  FROM",
        "limits.wallSeconds  60     300      home /h/policy.yaml:3",
        "network.allow       []     =        system",
        "",
      ].join("\n"),
    );
    expect(renderEdit({ file: "/h/policy.yaml", added: ["a:1"], already: ["b:2"], stopped: [] }, outColors)).toBe(
      "✓ a:1 is allowed from now on\n= b:2 was allowed already\n  (/h/policy.yaml)\n",
    );
    const stopped = [{ entry: "git push", key: "commands.deny", by: "git *" }];
    expect(renderEdit({ file: "/h/policy.yaml", added: [], already: ["git push"], stopped }, outColors)).toBe(
      "= git push was allowed already\n! git push is still blocked by commands.deny: git *\n  (/h/policy.yaml)\n",
    );
  });

  it("shows sessions and where they can return to", () => {
    const info = {
      sessionId: "ses_1",
      language: "python" as const,
      workspace: "/w",
      createdAt: run.createdAt,
      lastUsedAt: run.createdAt,
      steps: 3,
      tasksLeft: 47,
      kept: [0, 1],
      forkedFrom: null,
      idleSeconds: 90,
      memoryBytes: 9_646_899,
      cpuMs: 1,
      variables: {},
      limits: { wallSeconds: 300, memoryMb: 512 },
    };
    expect(renderSessions([info], terminal)).toBe(
      [
        "ID     LANGUAGE  STEPS  LEFT        IDLE  MEMORY  WORKSPACE",
        "ses_1  python        3    47  1 min 30 s  9.2 MB  /w",
        "",
      ].join("\n"),
    );
    expect(renderRollback({ step: 1, kept: [0, 1], how: "kept", notes: ["A thread was lost."] })).toBe(
      "The session is as it was after step 1.\nAlso kept: 0\nnote: A thread was lost.\n",
    );
  });

  it("shows every problem of a policy file, and hints of several lines", () => {
    const info = {
      code: "policy.invalid" as const,
      message: "p.yaml:1:1: limit: unknown (and 1 more)",
      hint: "Did you mean limits?\nOr remove it.",
      line: 1,
      problems: ["p.yaml:1:1: limit: unknown", "p.yaml:2:1: net: unknown"],
    };
    expect(renderError(info, outColors)).toBe(
      [
        "✗ policy.invalid — p.yaml:1:1: limit: unknown (and 1 more)",
        "  also: p.yaml:2:1: net: unknown",
        "  hint: Did you mean limits?",
        "    Or remove it.",
        "",
      ].join("\n"),
    );
  });

  it("shows quantities in units that are easy to read", () => {
    expect([0, 1023, 1024, 1_500_000, 5e12].map(renderBytes)).toEqual(["0 B", "1023 B", "1.0 KB", "1.4 MB", "4.5 TB"]);
    expect([0.04, 9.96, 850, 2400, 200_000].map(renderDuration)).toEqual([
      "0.0 ms",
      "10.0 ms",
      "850 ms",
      "2.4 s",
      "3 min 20 s",
    ]);
  });
});
