import { setTimeout as sleep } from "node:timers/promises";
import type { Samples } from "./measure.ts";
import type { Scenario } from "./scenario.ts";
import { treeCpuMs } from "./tree-cpu.ts";

export interface Blocks extends Samples {
  /** Processor time of a run, with all that is done for it before and after. Null: unknown. */
  cpuMsPerRun: number | null;
}

/**
 * The processes of other sandboxes end without a parent that waits for them: the kernel adds their time to no process.
 */
const COUNTED_SIDES = ["dock", "bare"];

export const BLOCK_RUNS = 15;
/** In this time the dock makes up for what a block has used: it belongs to the block's cost. */
const REST_MS = 700;

/**
 * Sustained work: each side runs a block of runs back to back, then the next side does. Unlike rounds that alternate, nothing is
 * prepared for the dock's next run while another side is measured.
 */
export async function measureBlocks(
  scenarios: readonly Scenario[],
  blocks: number,
  working: (scenario: string, side: string) => boolean,
  onBlock: (block: number) => void,
): Promise<Blocks[]> {
  const measured: Blocks[] = [];
  for (const scenario of scenarios.filter(({ crowd }) => crowd)) {
    const sides = scenario.sides
      .filter((side) => working(scenario.name, side.name))
      .map((side) => ({ side, times: [] as number[], cpuMs: 0 }));
    for (let block = 0; block < blocks; block++) {
      onBlock(block);
      for (const each of sides) {
        const before = treeCpuMs(process.pid);
        for (let run = 0; run < BLOCK_RUNS; run++) {
          const start = performance.now();
          await each.side.run();
          each.times.push(performance.now() - start);
        }
        await sleep(REST_MS);
        each.cpuMs += treeCpuMs(process.pid) - before;
      }
    }
    for (const { side, times, cpuMs } of sides) {
      const cpuMsPerRun = COUNTED_SIDES.includes(side.name) ? cpuMs / times.length : null;
      measured.push({ scenario: scenario.name, side: side.name, times, cpuMsPerRun });
    }
  }
  return measured;
}
