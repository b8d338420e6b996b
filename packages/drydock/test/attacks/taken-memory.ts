import { freemem } from "node:os";
import { expect } from "vitest";

const MOST_BYTES = 1 << 30;

/** Of the whole machine, by an attack: somebody else may take as much meanwhile, but not each time. */
export async function expectLittleTaken(name: string, attack: () => Promise<void>): Promise<void> {
  let taken = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && taken >= MOST_BYTES; turn++) {
    const before = freemem();
    await attack();
    taken = before - freemem();
  }
  expect.soft(taken, name).toBeLessThan(MOST_BYTES);
}
