import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { showReading } from "../cli/show-reading.ts";
import { showStrength } from "../cli/verify-strength.ts";
import { createProgressLine } from "./progress-line.ts";
import { createTerminal } from "./terminal.ts";

/** A terminal whose two streams are, each by itself, a terminal of that width or a file. */
function openTerminal({ out, err }: { out?: number; err?: number }) {
  const make = (columns: number | undefined) =>
    Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  const [stdout, stderr] = [make(out), make(err)];
  const terminal = createTerminal(stdout, stderr);
  const read = () => String(stderr.read() ?? "");
  return { terminal, stderr, read };
}

const TEXT = "strength: 12 of 40 mutants tried, 9 killed";

describe("a progress line", () => {
  it("is written over in place on a terminal, and is never wider than it", () => {
    for (const columns of [10, 20, 80]) {
      const { terminal, read } = openTerminal({ err: columns });
      let time = 0;
      const progress = createProgressLine(terminal, { now: () => time });
      for (let step = 0; step < 50; step++, time += 40) progress.show(`${step} ${TEXT}`);
      const written = read();
      expect(written).not.toContain("\n");
      const lines = written.split("\r\x1b[K").slice(1);
      // Every 100 ms at most: 50 texts in 2 seconds are not 50 frames.
      expect(lines.length).toBeGreaterThan(5);
      expect(lines.length).toBeLessThanOrEqual(20);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
      progress.end();
      expect(read()).toBe("\r\x1b[K");
    }
  });

  it("follows a terminal that becomes narrower", () => {
    const { terminal, stderr, read } = openTerminal({ err: 80 });
    let time = 0;
    const progress = createProgressLine(terminal, { now: () => time });
    progress.show(TEXT);
    Object.assign(stderr, { columns: 12 });
    time = 1000;
    progress.show(TEXT);
    expect(read()).toBe(`\r\x1b[K${TEXT}\r\x1b[Kstrength: …`);
  });

  it("is a line every few seconds where standard error is no terminal, with nothing of a terminal in it", () => {
    const { terminal, read } = openTerminal({ out: 80 });
    let time = 0;
    const progress = createProgressLine(terminal, { now: () => time });
    for (; time < 21_000; time += 100) progress.show(`at ${time}`);
    progress.show("at the end", true);
    progress.end();
    expect(read()).toBe("at 5000\nat 10000\nat 15000\nat 20000\nat the end\n");
  });

  it("goes by standard error, where it is written, and not by standard output", () => {
    const progress = { tried: 3, killed: 1, total: 3 };
    const toFile = openTerminal({ out: 80 });
    showStrength(toFile.terminal, false).show(progress);
    expect(toFile.read()).toBe("strength: 3 of 3 mutants tried, 1 killed\n");
    const toTerminal = openTerminal({ err: 30 });
    showStrength(toTerminal.terminal, false).show(progress);
    expect(toTerminal.read()).toBe("\r\x1b[Kstrength: 3 of 3 mutants tri…");
    const reading = openTerminal({ out: 80, err: 20 });
    let time = 0;
    const shown = showReading(reading.terminal, () => time);
    time = 2000;
    shown.update({ scanned: 1, hashed: 1 });
    expect(reading.read()).toBe("\r\x1b[Kreading the worksp…");
  });
});
