import { cp, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { expect } from "vitest";
import { recoverDeliveries } from "../recover-deliveries.ts";
import { type DeliveryFixture, prepareDelivery } from "./delivery-fixture.ts";
import { spawnDelivery } from "./spawn-delivery.ts";
import { hashTree, MEMORY, type Picture, readTree } from "./trees.ts";

/** A layer of more than thirty entries in which everything that can happen to a path happens. */
export function prepareThirty(): DeliveryFixture {
  const [before, after]: [Picture, Picture] = [{ "same.txt": "same" }, { "same.txt": "same" }];
  for (let i = 0; i < 6; i++) {
    before[`changed/${i}.txt`] = `old ${i}`;
    after[`changed/${i}.txt`] = `new ${i}`;
    before[`deleted/${i}/file.txt`] = `gone ${i}`;
    after[`added/${i}/file.txt`] = `fresh ${i}`;
  }
  Object.assign(before, {
    "zz.txt": "last",
    file: "f",
    "directory/x": "x",
    link: { link: "a" },
    "tool.sh": "#!",
    "mode/": { mode: 0o755 },
  });
  Object.assign(after, {
    "zz.txt": "changed last",
    "file/inside.txt": "now a directory",
    directory: "now a file",
    link: { link: "b" },
    "tool.sh": { text: "#!", mode: 0o755 },
    "mode/": { mode: 0o700 },
    "closed/": { mode: 0o500 },
    "closed/x": "x",
  });
  return prepareDelivery(before, after, MEMORY);
}

export interface CrashPlan {
  mode: "deliver" | "revert";
  first: number;
  every: number;
  /** Kills the recovery as well, after each so many of its own steps, before the one that is let through. */
  recoveryEvery?: number;
  /** A path that somebody changes as soon as everything is prepared, so that all of it is put back. */
  disturb?: string;
}

/**
 * Kills the fixture's delivery (or its undoing) after a step, recovers, and expects the old tree or the new one; then the
 * same from the beginning, after a later step, until it lives to its end. Returns which trees were seen.
 */
export async function crashEverywhere(
  fixture: DeliveryFixture,
  plan: CrashPlan,
): Promise<{ steps: number; seen: Set<string> }> {
  const { mode, first, every, recoveryEvery, disturb } = plan;
  const root = dirname(fixture.workspace);
  const spare = `${root}-spare`;
  const copy = (from: string, to: string) => cp(from, to, { recursive: true, verbatimSymlinks: true });
  const seen = new Set<string>();
  const before = hashTree(fixture.workspace);
  await copy(root, spare);
  try {
    for (let step = first; ; step += every) {
      const { signal, steps } = await spawnDelivery(fixture, mode, step, { disturb });
      if (signal === null) return { steps, seen: seen.add(hashTree(fixture.workspace)) };
      if (recoveryEvery) await crashRecovery(fixture, recoveryEvery);
      else await recoverOnce(fixture, disturb === undefined ? before : null, step);
      seen.add(hashTree(fixture.workspace));
      await rm(root, { recursive: true });
      await copy(spare, root);
    }
  } finally {
    await rm(spare, { recursive: true, force: true });
  }
}

async function recoverOnce(fixture: DeliveryFixture, before: string | null, step: number): Promise<void> {
  const { recovered, failed } = await recoverDeliveries(fixture.home, { record: async () => {} });
  expect(failed).toEqual([]);
  expect(recovered, `step ${step}: ${readTree(fixture.workspace).join("\n")}`).toHaveLength(1);
  const isOld = hashTree(fixture.workspace) === before;
  if (before !== null) expect(recovered[0]?.outcome).toBe(isOld ? "undone" : "completed");
  const again = await recoverDeliveries(fixture.home, { record: async () => {} });
  expect(again).toEqual({ recovered: [], failed: [] });
}

/** Each recovery gets a few steps further than the one before it. */
async function crashRecovery(fixture: DeliveryFixture, every: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { signal } = await spawnDelivery(fixture, "recover", attempt * every);
    if (signal === null) return;
  }
}
