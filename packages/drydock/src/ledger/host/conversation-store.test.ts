import { HostEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { readOwner } from "../index.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";

const message = HostEvent.parse({
  ...{ type: "message.received", conversation: { conversation_id: "c" }, input: { text: "hi" } },
});
const FINISHED = { verdict: "unverified", treeHash: null, error: null, durationMs: 0 };
const create = { kind: "runner", title: "r", workspace: null, data: {} } as const;

it("nothing of a conversation is erased while a run of it is under way, in whatever process", async () => {
  await using t = await openTestLedger();
  const { conversations, events, transcript } = await t.ledger.openHost();
  const { id: runId } = await t.ledger.createRun(create);
  await events.add("evt_1", message, "key");
  await transcript.add({
    ...{ conversation: "key", eventId: "evt_1", runId: null },
    message: { role: "user", content: "hi" },
  });
  await events.settle("evt_1", "run", runId);
  expect(await conversations.erase("key", [])).toBe(false);
  expect(await conversations.find("key")).toMatchObject({ events: 1, messages: 1 });
  await t.ledger.finish(runId, { type: "run.succeeded", data: FINISHED });
  expect(await conversations.erase("key", [])).toBe(true);
  expect(await conversations.find("key")).toBe(null);
});

it("an event that another process has just got counts as under way, until it is given to a run or has failed", async () => {
  // A process that lives, and is not this one.
  const parent = { ...readOwner(), pid: process.ppid };
  const { readProcessStart } = await import("../../base/processes/index.ts");
  const owner = { ...parent, startTime: readProcessStart(process.ppid) ?? "" };
  await using t = await openTestLedger({ owner });
  await (await t.ledger.openHost()).events.add("evt_1", message, "key");
  const here = await openAt(t.home);
  const later = await openAt(t.home, { now: () => new Date(Date.now() + 60_000) });
  expect(await (await here.openHost()).conversations.erase("key", [])).toBe(false);
  expect(await (await later.openHost()).conversations.erase("key", [])).toBe(true);
  for (const ledger of [here, later]) await ledger.close();
});
