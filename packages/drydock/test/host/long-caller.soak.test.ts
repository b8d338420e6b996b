import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openCaller } from "./testing/open-caller.ts";

const MOST = 2000;
let caller: Caller;

beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

it("a run that calls until its deadline has a record of bounded size, which says how many calls there were", async () => {
  const agent = await caller.addAgent({ timeoutSeconds: 120 });
  // The runner looks for a key that never comes, again and again.
  const sent = await agent.send({ gate: "never" });
  if (sent.kind !== "answered") throw new Error(sent.kind);
  expect(sent.error?.code).toBe("runner.timeout");
  const events = await caller.dock.runs.events(sent.runId);
  const calls = events.filter(({ type }) => type === "host.called");
  expect(calls).toHaveLength(MOST);
  const folded = events.filter(({ type }) => type === "events.folded").map(({ data }) => data);
  const { count } = folded.at(-1) as { count: number };
  expect(count).toBeGreaterThan(100);
  expect(folded.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 2);
  expect(events.length).toBeLessThan(MOST + 50);
  await expect(caller.dock.runs.replay(sent.runId)).rejects.toMatchObject({ code: "input.invalid" });
  expect(await caller.dock.audit.verify()).toMatchObject({ ok: true });
});
