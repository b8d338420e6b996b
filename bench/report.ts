import { BLOCK_RUNS, type Blocks } from "./blocks.ts";
import type { Machine } from "./machine.ts";
import type { Mark, Figures as Measured } from "./marks.ts";
import { percentile } from "./measure.ts";
import type { Scenario } from "./scenario.ts";

export interface Report extends Measured {
  machine: Machine;
  rounds: number;
  missing: string[];
  marks: Mark[];
  scenarios: readonly Pick<Scenario, "name" | "title">[];
}

/** For programs: percentiles instead of every sample. */
export function toJson(report: Report): unknown {
  const { samples, crowds, blocks, scenarios: _scenarios, ...rest } = report;
  const summary = (times: readonly number[]) => ({
    runs: times.length,
    p50Ms: round(percentile(times, 0.5)),
    p95Ms: round(percentile(times, 0.95)),
  });
  return {
    ...rest,
    oneAtATime: samples.map(({ scenario, side, times, problem }) => ({ scenario, side, ...summary(times), problem })),
    blocksBackToBack: blocks.map(({ scenario, side, times, cpuMsPerRun }) => ({
      scenario,
      side,
      ...summary(times),
      cpuMsPerRun: cpuMsPerRun === null ? null : round(cpuMsPerRun),
    })),
    eightAtOnce: crowds.map(({ scenario, side, times, perSecond }) => ({
      scenario,
      side,
      ...summary(times),
      perSecond: round(perSecond),
    })),
  };
}

/** For people, in Markdown, so that it can be pasted into a page as it is. */
export function toText(report: Report): string {
  const { machine, rounds, samples, crowds, memory, marks, missing, scenarios } = report;
  const title = (name: string) => scenarios.find((one) => one.name === name)?.title ?? name;
  const bareOf = (scenario: string) => samples.find((one) => one.scenario === scenario && one.side !== "dock");
  const reference = (scenario: string) =>
    percentile(
      (samples.find((one) => one.scenario === scenario && one.side === "bare") ?? bareOf(scenario))?.times ?? [],
      0.5,
    );
  return [
    `${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB, Linux ${machine.kernel}, ${machine.python}, Node ${machine.node}, as ${machine.user}; load at the start ${machine.loadAtStart}; ${rounds} rounds.`,
    "",
    table(
      ["", "promise", "measured", "mark", "both sides"],
      marks.map((mark) => [mark.met ? "✓" : "✗", mark.promise, quantity(mark, mark.value), limit(mark), mark.sides]),
    ),
    "",
    "One at a time, interleaved (ms):",
    "",
    table(
      ["work", "where", "p50", "p95", "÷ first reference"],
      samples.map(({ scenario, side, times, problem }) =>
        problem === undefined
          ? [
              title(scenario),
              side,
              number(percentile(times, 0.5)),
              number(percentile(times, 0.95)),
              number(percentile(times, 0.5) / reference(scenario)),
            ]
          : [title(scenario), side, `does not work here: ${problem.slice(0, 80)}`, "", ""],
      ),
    ),
    ...describeBlocks(report.blocks, title),
    ...(crowds.length === 0
      ? []
      : [
          "",
          "Eight at once:",
          "",
          table(
            ["work", "where", "runs/s", "p50 (ms)", "p95 (ms)"],
            crowds.map(({ scenario, side, times, perSecond }) => [
              title(scenario),
              side,
              number(perSecond),
              number(percentile(times, 0.5)),
              number(percentile(times, 0.95)),
            ]),
          ),
        ]),
    ...memory.map(
      ({ crew, serverPssBytes }) =>
        `\nFork server (${crew}): ${(serverPssBytes / 2 ** 20).toFixed(1)} MB PSS, shared by its members.`,
    ),
    ...(missing.length > 0 ? ["", `Not installed here: ${missing.join(", ")}.`] : []),
  ].join("\n");
}

function describeBlocks(blocks: readonly Blocks[], title: (scenario: string) => string): string[] {
  if (blocks.length === 0) return [];
  const bare = (scenario: string) => blocks.find((one) => one.scenario === scenario && one.side === "bare");
  const rows = blocks.map(({ scenario, side, times, cpuMsPerRun }) => [
    title(scenario),
    side,
    number(percentile(times, 0.5)),
    number(percentile(times, 0.95)),
    number(percentile(times, 0.5) / percentile(bare(scenario)?.times ?? [], 0.5)),
    number(cpuMsPerRun ?? Number.NaN),
    number((cpuMsPerRun ?? Number.NaN) / (bare(scenario)?.cpuMsPerRun ?? Number.NaN)),
  ]);
  const head = ["work", "where", "p50", "p95", "p50 ÷ bare", "CPU a run", "CPU ÷ bare"];
  return ["", `Blocks of ${BLOCK_RUNS} back to back, one side after the other (ms):`, "", table(head, rows)];
}

function quantity(mark: Mark, value: number): string {
  return mark.unit === "ratio" ? `${number(value)} ×` : `${number(value)} ${mark.unit}`;
}

function limit(mark: Mark): string {
  return `${mark.atLeast ? "≥" : "≤"} ${mark.limit}${mark.unit === "ratio" ? " ×" : ` ${mark.unit}`}`;
}

function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}
