import type { JudgedTree } from "../../judged-tree.ts";
import { type CheckRecord, type CommandCheck, isLasting, type RecordStore, recordKey } from "./base-record.ts";
import { readRecord } from "./take-record.ts";

/** What a check showed when it ran on an untouched tree again, after it had passed with a change. */
export interface SecondRecord extends CheckRecord {
  /** Milliseconds since 1970. */
  takenAt: number;
}

/**
 * What fails at one time of the day, or while something else is not there, passes later without any change. The conditions
 * that belong to a record do not show that: a second failure counts for as long as little has happened since.
 */
const MAX_AGE_MS = 60 * 60 * 1000;

/** It has a key of its own: who keeps it does not overwrite what another process has put right in the first one. */
function secondKey(check: CommandCheck, treeHash: string): string {
  return JSON.stringify([recordKey(check, treeHash), "second"]);
}

/** Null where there is none that still counts. */
export async function findSecond(
  check: CommandCheck,
  { treeHash }: JudgedTree,
  store: RecordStore,
): Promise<SecondRecord | null> {
  const record: Partial<SecondRecord> | null = readRecord(await store.read(secondKey(check, treeHash)), treeHash);
  const age = Date.now() - (record?.takenAt ?? Number.NEGATIVE_INFINITY);
  // A clock that was set back says nothing about its age.
  return age >= 0 && age < MAX_AGE_MS ? (record as SecondRecord) : null;
}

/** Only where test runners reported to their end: it stands for the tests that it names, and for nothing else. */
export async function keepSecond(
  check: CommandCheck,
  { treeHash }: JudgedTree,
  store: RecordStore,
  record: CheckRecord,
): Promise<void> {
  if (record.passed || !record.report?.runners.length || !isLasting(record)) return;
  const second: SecondRecord = { ...record, takenAt: Date.now() };
  await store.write(secondKey(check, treeHash), JSON.stringify(second));
}

/** Whether each of these tests was there again, and did not pass. */
export function showsFailing(second: CheckRecord | null, tests: readonly string[]): boolean {
  const { tests: seen = [], named = [] } = second?.report ?? {};
  const failing = new Set([...seen.filter(({ outcome }) => outcome === "failed"), ...named].map(({ id }) => id));
  return tests.length > 0 && tests.every((id) => failing.has(id));
}
