import { expect } from "vitest";
import { addEndedRun, openTestLedger, type TestLedger } from "./open-test-ledger.ts";

interface Runs {
  first: string;
  middle: string;
  last: string;
  running: string;
}

/** Three ended runs, and one that is under way, created before the last. */
export async function fill(t: TestLedger): Promise<Runs> {
  const first = await addEndedRun(t.ledger, "first");
  const middle = await addEndedRun(t.ledger, "middle");
  const { id: running } = await t.ledger.createRun({ kind: "exec", title: "running", data: {} });
  await t.ledger.append(running, [{ type: "output.recorded", data: { text: "so far" } }]);
  const last = await addEndedRun(t.ledger, "last");
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 4, events: 14 });
  return { first, middle, last, running };
}

export interface Attack {
  name: string;
  attack: (t: TestLedger, runs: Runs) => void;
  found: (runs: Runs) => { runId: string; seq?: number; problem?: RegExp };
}

/** Does to a filled ledger what the attack does, and expects the verification to name it. */
export async function expectFound({ attack, found }: Attack): Promise<void> {
  await using t = await openTestLedger();
  const runs = await fill(t);
  attack(t, runs);
  const report = await t.ledger.verify();
  expect(report.ok).toBe(false);
  const { runId, seq, problem } = found(runs);
  expect(report.first?.runId).toBe(runId);
  if (seq !== undefined) expect(report.first?.seq).toBe(seq);
  if (problem) expect(report.first?.problem).toMatch(problem);
}

export function removeRun(t: TestLedger, id: string): void {
  t.tamper("delete from events where run_id = ?", id);
  t.tamper("delete from runs where id = ?", id);
}
