import { expect, it } from "vitest";
import type { NewEvent } from "../../../ledger/index.ts";
import { openTestLedger } from "../../../ledger/testing/open-test-ledger.ts";
import { readActions } from "./read-actions.ts";

type End = "run.succeeded" | "run.failed" | "run.cancelled";

/** Writes runs of sessions; each returns the id of its run. */
async function openRecord() {
  const test = await openTestLedger();
  const { ledger } = test;

  async function add(sessionId: string, data: Record<string, unknown>, type: End, more: object = {}) {
    const events: NewEvent[] = "to" in more ? [{ type: "step.rolled_back", data: { ...more } }] : [];
    const { id } = await ledger.createRun({ kind: "session", title: sessionId, sessionId, workspace: null, data });
    await ledger.finish(id, { type, data: { error: null, ...more } }, events);
    return id;
  }

  return {
    ...{ ledger, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() },
    step: (session: string, step: number, type: End = "run.succeeded", more: object = {}, request: object = {}) =>
      add(session, { request: { language: "python", code: "1", step, ...request } }, type, more),
    rollback: (session: string, to: number) => add(session, { rollback: to }, "run.succeeded", { to }),
    failedRollback: (session: string, to: number) => add(session, { rollback: to }, "run.failed"),
    fork: (session: string, sessionId: string, step: number, type: End = "run.succeeded") =>
      add(session, { request: { language: "python", forkedFrom: { sessionId, step } } }, type),
    /** Each action with its session, and the number of the step that it is, or that it goes to. */
    async list(session: string, until?: string) {
      const actions = await readActions(ledger, session, until);
      return actions.map((each) => `${each.record.run.title} ${each.kind} ${"to" in each ? each.to : each.number}`);
    },
  };
}

it("has steps and rollbacks in the order of their runs, up to the one that is wanted", async () => {
  await using record = await openRecord();
  await record.step("a", 1);
  await record.step("a", 2, "run.failed");
  const rollback = await record.rollback("a", 1);
  await record.step("b", 1);
  await record.failedRollback("a", 0);
  await record.step("a", 3);
  expect(await record.list("a")).toEqual(["a step 1", "a step 2", "a rollback 1", "a step 3"]);
  expect(await record.list("a", rollback)).toEqual(["a step 1", "a step 2", "a rollback 1"]);
});

it("follows forks to their origin, up to the fork", async () => {
  await using record = await openRecord();
  await record.step("a", 1);
  await record.fork("b", "a", 1);
  await record.step("a", 2);
  // Steps of a fork name its origin too.
  await record.step("b", 2, "run.succeeded", {}, { forkedFrom: { sessionId: "a", step: 1 } });
  await record.fork("c", "b", 2);
  await record.step("c", 3);
  const refused = await record.fork("d", "c", 3, "run.failed");
  expect(await record.list("c")).toEqual(["a step 1", "b fork 1", "b step 2", "c fork 2", "c step 3"]);
  expect((await record.list("d", refused)).at(-1)).toBe("c step 3");
});

it("says which steps left a state: not those that were undone, or only looked", async () => {
  await using record = await openRecord();
  await record.step("a", 1);
  await record.step("a", 2, "run.failed");
  await record.step("a", 3, "run.succeeded", {}, { look: true });
  await record.step("a", 4, "run.failed", { stateKept: true });
  const discarded = await record.step("a", 5, "run.succeeded", { stateKept: false });
  await record.ledger.append(discarded, [{ type: "layer.discarded", data: {} }]);
  const actions = await readActions(record.ledger, "a");
  expect(actions.map((action) => action.kind === "step" && action.isKept)).toEqual([true, false, false, true, false]);
});

it("keeps the number of a cancelled step, unless the next step has it", async () => {
  await using record = await openRecord();
  await record.step("a", 1);
  await record.step("a", 2, "run.cancelled");
  await record.step("a", 2);
  await record.step("a", 3, "run.cancelled");
  await record.rollback("a", 1);
  await record.step("a", 4, "run.cancelled");
  await record.fork("b", "a", 1);
  await record.step("b", 5);
  await record.step("b", 6, "run.cancelled");
  const origin = ["a step 1", "a step 2", "a gap 3", "a rollback 1", "a gap 4"];
  expect(await record.list("b")).toEqual([...origin, "b fork 1", "b step 5"]);
});

it("comes to an end where a record goes in circles", async () => {
  await using record = await openRecord();
  await record.fork("a", "a", 1);
  await record.fork("b", "a", 1);
  await record.fork("a", "b", 1);
  expect(await record.list("a")).toEqual(["a fork 1", "a fork 1"]);
  expect(await record.list("b")).toEqual(["a fork 1", "b fork 1"]);
});
