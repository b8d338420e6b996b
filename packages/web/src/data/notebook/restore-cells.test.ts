import type { RunEvent } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { findPath, mergeKept, readSession } from "./restore-cells.ts";

let runs = 0;

function record(data: object, end: RunEvent["type"] = "run.succeeded", stdout = ""): RunEvent[] {
  const runId = `run_${++runs}`;
  const event = (seq: number, type: RunEvent["type"], facts: object) => ({ runId, seq, type, data: facts }) as RunEvent;
  return [event(0, "run.created", data), event(1, "output.recorded", { stdout, stderr: "" }), event(2, end, {})];
}

const step = (number: number, code: string, more = {}) => ({
  request: { language: "python", code, step: number, ...more },
});

describe("a notebook from its record", () => {
  it("has a cell for each code with its newest outcome, and knows what the session has of them", () => {
    const session = readSession([
      record(step(1, "x = 1"), "run.succeeded", "one\n"),
      record(step(2, "1 / 0"), "run.failed"),
      record(step(3, "x = 2")),
      record({ rollback: 1 }),
      record(step(4, "x = 1"), "run.succeeded", "again\n"),
      record(step(5, "ls", { terminal: true })),
      record(step(6, "dir()", { look: true })),
    ]);
    expect(session.cells.map(({ code, step: number, state, isTerminal }) => [code, number, state, isTerminal])).toEqual(
      [
        ["x = 1", 4, "ok", false],
        ["1 / 0", 2, "failed", false],
        ["x = 2", 3, "ok", false],
        ["ls", 5, "ok", true],
      ],
    );
    expect(session.cells[0]?.output).toEqual([{ stream: "stdout", text: "again\n" }]);
    expect([...findPath(session)].sort()).toEqual([0, 1, 4, 5]);
  });

  it("of a fork begins where its origin was; a rollback that failed changes nothing", () => {
    const origin = { forkedFrom: { sessionId: "ses_1", step: 2 } };
    const session = readSession([
      record({ request: origin }),
      record(step(3, "y", origin)),
      record({ rollback: 0 }, "run.failed"),
    ]);
    expect(session).toMatchObject({ current: 3, forkedFrom: { sessionId: "ses_1", step: 2 } });
    expect(session.parents.get(3)).toBe(2);
  });

  it("keeps the order of this tab, what was written since, and adds what was done elsewhere", () => {
    const { cells } = readSession([record(step(1, "a")), record(step(2, "b")), record(step(3, "c"), "run.cancelled")]);
    const [a, b, c] = cells.map(({ runId }) => runId ?? "");
    const kept = [
      { code: "new", runId: null },
      { code: "b, changed", runId: b ?? "" },
      { code: "c", runId: null },
    ];
    const merged = mergeKept(cells, kept, [a ?? "", b ?? ""]);
    expect(merged.map(({ code, runId }) => [code, runId])).toEqual([
      ["new", null],
      ["b, changed", b],
      ["c", c],
    ]);
    expect(mergeKept(cells, kept.slice(0, 2), [a ?? ""]).map(({ code }) => code)).toEqual(["new", "b, changed", "c"]);
  });
});
