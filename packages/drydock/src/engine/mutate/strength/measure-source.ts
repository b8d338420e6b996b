import { createHash } from "node:crypto";
import type { StrengthEvidence } from "@drydock/protocol";
import { createRunPython } from "../../source/run-python.ts";
import { listMutants } from "../list-mutants.ts";
import { type EarlierState, listSource } from "./list-source.ts";
import {
  type MeasuredStrength,
  type MeasureStrengthOptions,
  measureEachCheck,
  measureStrength,
} from "./measure-strength.ts";

export interface MeasureSourceOptions extends Omit<MeasureStrengthOptions, "mutants" | "found" | "seed"> {
  /** Draws the sample, where there are more mutants than `limit`. Default 1. */
  seed?: number;
  /** Default 100. */
  limit?: number;
}

export interface MeasureChangeOptions extends MeasureSourceOptions {
  /** The state that the change started from: only lines that are new or changed since are mutated. */
  before: EarlierState & { treeHash: string };
}

const SEED = 1;
const LIMIT = 100;
const MAX_REMEMBERED = 100;
const remembered = new Map<string, StrengthEvidence>();

/**
 * How many faults in what a change added the checks notice. Call it on a tree on which the checks pass. The same question
 * about the same trees is answered once in a process.
 */
export async function measureChangeStrength(options: MeasureChangeOptions): Promise<StrengthEvidence> {
  const { tree, before, checks, policy, seed = SEED, limit = LIMIT } = options;
  const question = JSON.stringify([tree.treeHash, before.treeHash, checks, policy, seed, limit]);
  const key = createHash("sha256").update(question).digest("hex");
  const known = remembered.get(key);
  if (known) return known;
  const prepared = await prepare(options, before);
  const strength = await measureStrength(prepared);
  // One that ran out of time says less than the next could.
  if (strength.total === prepared.mutants.length) {
    for (const oldest of remembered.keys()) if (remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
    remembered.set(key, strength);
  }
  return strength;
}

/** The same for a whole tree, or what changed in it since an earlier state; by each check as well. */
export async function measureSourceStrength(
  options: MeasureSourceOptions & { before: EarlierState | null },
): Promise<MeasuredStrength> {
  return measureEachCheck(await prepare(options, options.before));
}

async function prepare(options: MeasureSourceOptions, before: EarlierState | null): Promise<MeasureStrengthOptions> {
  const { tree, runner, signal, seed = SEED, limit = LIMIT } = options;
  const files = await listSource(tree, before);
  const { found, mutants } = await listMutants(files, createRunPython(runner, tree, signal), { seed, limit });
  return { ...options, mutants, found, seed };
}
