import { HostEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { type Ledger, type Owner, readOwner } from "../index.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";

const GONE: Owner = { ...readOwner(), startTime: "1" };
const message = HostEvent.parse({ type: "message.received", conversation: { conversation_id: "c" } });
const FINISHED = { verdict: "unverified", treeHash: null, error: null, durationMs: 0 };

/** A run with a message that was queued for it. */
async function queue(ledger: Ledger, name: string, ...after: ("steering.injected" | "steering.dropped")[]) {
  const { events } = await ledger.openHost();
  const data = { request: { agent: { name: "helper" } } };
  const { id: runId } = await ledger.createRun({ kind: "runner", title: name, workspace: null, data });
  await events.add(name, message, "key");
  await events.settle(name, "steering", runId);
  for (const type of ["steering.queued", ...after] as const)
    await ledger.append(runId, [{ type, data: { eventId: name } }]);
  return runId;
}

it("only messages that nobody got are left: each is taken once, with its agent", async () => {
  await using t = await openTestLedger({ owner: GONE });
  await queue(t.ledger, "queued");
  await queue(t.ledger, "injected", "steering.injected");
  const dropped = await queue(t.ledger, "dropped", "steering.dropped");
  await t.ledger.finish(dropped, { type: "run.succeeded", data: FINISHED });
  const cancelled = await queue(t.ledger, "cancelled", "steering.dropped");
  await t.ledger.finish(cancelled, { type: "run.cancelled", data: FINISHED });
  const open = (owner = readOwner()) => openAt(t.home, { owner });
  const [here, there] = [await open(), await open()];
  const [{ events }, { events: others }] = [await here.openHost(), await there.openHost()];
  // Their runs are not over yet: nobody knows whether they are.
  expect((await events.takeLeftSteering()).map(({ event }) => event.id)).toEqual(["dropped"]);
  await here.recover();
  // This one, and the one that was taken and not handled yet.
  expect(await events.countUnhandled()).toBe(2);
  const taken = (await Promise.all([events.takeLeftSteering(), others.takeLeftSteering()])).flat();
  expect(taken).toMatchObject([{ agent: "helper", event: { id: "queued", outcome: "received", runId: null } }]);
  expect([await events.hasLeftSteering(), await others.takeLeftSteering()]).toEqual([false, []]);
  expect(await events.find("injected")).toMatchObject({ outcome: "steering" });
  for (const ledger of [here, there]) await ledger.close();
});

it("a message of a process that lives is left to it", async () => {
  await using t = await openTestLedger();
  const runId = await queue(t.ledger, "queued", "steering.dropped");
  await t.ledger.finish(runId, { type: "run.succeeded", data: FINISHED });
  expect(await (await t.ledger.openHost()).events.takeLeftSteering()).toEqual([]);
});

it("a message that comes again from its source is new where nobody got it, and known where a run did", async () => {
  await using t = await openTestLedger({ owner: GONE });
  await queue(t.ledger, "queued");
  await queue(t.ledger, "injected", "steering.injected");
  const here = await openAt(t.home);
  await here.recover();
  const { events } = await here.openHost();
  expect(await events.add("queued", message, "key")).toMatchObject({ id: "queued", outcome: "received" });
  expect(await events.add("queued", message, "key")).toBe(null);
  expect(await events.add("injected", message, "key")).toBe(null);
  await here.close();
});
