import pico from "picocolors";
import { afterEach, expect, it, vi } from "vitest";
import { reportPhases } from "./report-phases.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("tells of each part of a check that takes long, and of none that does not", () => {
  vi.useFakeTimers();
  let reply = "";
  const err = (text: string) => {
    reply += text;
  };
  const phases = reportPhases({ err, errColors: pico.createColors(false) });
  const check = { type: "command", cmd: "pytest -q" } as const;
  phases.begin("fix", check, "untouched");
  vi.advanceTimersByTime(2000);
  phases.begin("fix", check, "result");
  vi.advanceTimersByTime(4000);
  phases.begin("fix", check, "control");
  phases.begin("other", check, "result");
  vi.advanceTimersByTime(2000);
  phases.settle("fix");
  phases.close();
  vi.advanceTimersByTime(60_000);
  expect(reply).toBe("fix: running command pytest -q on the result …\n");
});

it("tells again of a check that goes on, until something else is told", () => {
  vi.useFakeTimers();
  let reply = "";
  const phases = reportPhases({ err: (text) => (reply += text), errColors: pico.createColors(false) });
  phases.begin("run", { type: "command", cmd: "pytest -q" }, "untouched");
  vi.advanceTimersByTime(64_000);
  phases.settle("run");
  vi.advanceTimersByTime(300_000);
  const line = "run: running command pytest -q on the untouched tree …";
  expect(reply).toBe(`${line}\n${line} 33 s\n${line} 63 s\n`);
});
