import { createDock } from "drydock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openCaller } from "./testing/open-caller.ts";

let caller: Caller;

beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

it("calls for runs that the caller does not have are on record after a new start, and counted", async () => {
  const agent = await caller.addAgent({});
  const { runId: finished } = await agent.ask({ calls: [] });
  const forged = ["run_finished", "run_stolen", finished];
  const { answers } = await agent.ask({
    calls: forged.flatMap((run_id) =>
      Array.from({ length: 20 }, () => ["state_get", { run_id, scope: "runner", key: "k" }]),
    ),
  });
  expect(new Set(answers.map(({ error }) => Object(error).code))).toEqual(new Set(["unauthorized"]));
  const expected = {
    ...{ kind: "refused", source: "test/caller", runId: finished, count: 60 },
    text: "test/caller called state_get for a run that it does not have.",
  };
  expect(await caller.dock.host.warnings()).toMatchObject([expected]);
  await caller.dock.close();
  const next = await createDock({ home: caller.home, warm: 0 });
  expect(await next.host.warnings()).toMatchObject([expected]);
  expect((await next.host.status()).warnings).toMatchObject([expected]);
  await next.close();
});
