import pico from "picocolors";
import { afterEach, expect, it, vi } from "vitest";
import { tellPhases } from "./tell-phases.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("tells of each part of a check that takes long, and of none that does not", () => {
  vi.useFakeTimers();
  let told = "";
  const err = (text: string) => {
    told += text;
  };
  const phases = tellPhases({ err, errColors: pico.createColors(false) });
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
  expect(told).toBe("fix: running command pytest -q on the result …\n");
});
