import type { Run, RunEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { listActions, type SessionRecord } from "./list-actions.ts";

function record(id: string, sessionId: string, data: object, status: Run["status"] = "succeeded"): SessionRecord {
  const run = { id, sessionId, status } as Run;
  return { run, events: [{ type: "run.created", data } as RunEvent] };
}

const step = (id: string, session: string, number: number, status?: Run["status"]) =>
  record(id, session, { request: { language: "python", code: "1", step: number } }, status);
const fork = (id: string, session: string, from: string) =>
  record(id, session, { request: { language: "python", forkedFrom: { sessionId: from, step: 1 } } });

const tell = (records: readonly SessionRecord[], session: string, until: string) =>
  listActions(records, session, until).map(({ kind, record: { run } }) => `${kind} ${run.id}`);

it("lists steps and rollbacks in the order of their runs, up to the one that is wanted", () => {
  const records = [
    step("4", "a", 3),
    step("1", "a", 1),
    record("3", "a", { rollback: 1 }),
    step("2", "a", 2, "failed"),
    record("5", "a", { rollback: 9 }, "failed"),
    step("6", "a", 4),
    step("7", "b", 1),
  ];
  expect(tell(records, "a", "6")).toEqual(["step 1", "step 2", "rollback 3", "step 4", "step 6"]);
  expect(tell(records, "a", "3")).toEqual(["step 1", "step 2", "rollback 3"]);
});

it("follows forks to their origin, up to the fork", () => {
  const records = [step("1", "a", 1), fork("2", "b", "a"), step("3", "a", 2), step("4", "b", 2), fork("5", "c", "b")];
  expect(tell([...records, step("6", "c", 3)], "c", "6")).toEqual(["step 1", "fork 2", "step 4", "fork 5", "step 6"]);
});

it("keeps the number of a cancelled step, unless the next step has it", () => {
  const records = [step("1", "a", 1), step("2", "a", 2, "cancelled"), step("3", "a", 3)];
  expect(tell(records, "a", "3")).toEqual(["step 1", "gap 2", "step 3"]);
  const early = [step("1", "a", 1), step("2", "a", 2, "cancelled"), step("3", "a", 2)];
  expect(tell(early, "a", "3")).toEqual(["step 1", "step 3"]);
});

it("comes to an end where a record goes in circles", () => {
  expect(tell([fork("1", "a", "a"), fork("2", "b", "a"), fork("3", "a", "b")], "a", "3")).toEqual(["fork 1", "fork 3"]);
});
