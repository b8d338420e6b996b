import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario, Side } from "./scenario.ts";

export interface Samples {
  scenario: string;
  side: string;
  /** Milliseconds, in the order they were taken. */
  times: number[];
  problem?: string;
}

const WARM_UP_ROUNDS = 5;

/** Scenario by scenario, its sides in turns, back to back: what disturbs the machine disturbs both of them. */
export async function measureRounds(
  scenarios: readonly Scenario[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Samples[]> {
  const all: Samples[] = [];
  for (const scenario of scenarios) {
    const taken = scenario.sides.map((side) => ({
      side,
      samples: { scenario: scenario.name, side: side.name, times: [] } as Samples,
    }));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      onRound(round);
      for (const { side, samples } of taken) await measureSide(side, samples, round >= 0);
    }
    all.push(...taken.map(({ samples }) => samples));
  }
  return all;
}

async function measureSide(side: Side, samples: Samples, counts: boolean): Promise<void> {
  if (samples.problem !== undefined) return;
  try {
    const time = await timeOnce(side);
    if (counts) samples.times.push(time);
  } catch (error) {
    // A sandbox that is installed and does not work here is reported; the dock and the bare side must work.
    if (side.name === "dock" || side.name === "bare") throw error;
    samples.problem = (error as Error).message;
  }
}

async function timeOnce(side: Side): Promise<number> {
  const start = performance.now();
  await side.run();
  const time = performance.now() - start;
  await side.after?.();
  if (side.restMs !== undefined) await sleep(side.restMs);
  return time;
}

export interface Crowd extends Samples {
  perSecond: number;
}

/** So many at once, for a while, in turns: a slice of each side, then again. The median slice is the rate. */
export async function measureCrowd(
  scenarios: readonly Scenario[],
  atOnce: number,
  slices: number,
  sliceMs: number,
  working: (scenario: string, side: string) => boolean,
  onSlice: (slice: number) => void,
): Promise<Crowd[]> {
  const crowds = scenarios
    .filter((scenario) => scenario.crowd)
    .flatMap((scenario) => scenario.sides.map((side) => ({ scenario: scenario.name, side })))
    .filter(({ scenario, side }) => working(scenario, side.name))
    .map(({ scenario, side }) => ({ scenario, side, times: [] as number[], rates: [] as number[] }));
  for (let slice = 0; slice < slices; slice++) {
    onSlice(slice);
    for (const crowd of crowds) {
      const start = performance.now();
      const before = crowd.times.length;
      const work = async () => {
        while (performance.now() - start < sliceMs) {
          const begun = performance.now();
          await crowd.side.run();
          crowd.times.push(performance.now() - begun);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      crowd.rates.push(((crowd.times.length - before) * 1000) / (performance.now() - start));
      await sleep(150);
    }
  }
  return crowds.map(({ scenario, side, times, rates }) => ({
    scenario,
    side: side.name,
    times,
    perSecond: percentile(rates, 0.5),
  }));
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
