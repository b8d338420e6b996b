import { expect, it, vi } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const SLEEP = [{ type: "command", cmd: "python3 -c 'import time; time.sleep(30)'" }];
const PLAN = { goal: "Write it", tasks: [{ id: "slow", checks: SLEEP, attempts: 1 }] };
const place = openTestServer({
  script: [{ when: { step: "work" }, writes: [{ path: "a.md", content: "a" }], repeat: "always" }],
});
const { call } = place;

it("POST /runs says after which time a task is stale, and whether it begins again", async () => {
  const workspace = place.makeWorkspace({ "a.md": "" });
  const goal = { kind: "goal", plan: PLAN, workspace, apply: "never", staleSeconds: 1, staleAutoReset: false };
  const { id } = (await call("POST", "/runs", goal)).value;
  await vi.waitFor(async () => expect((await call("GET", `/runs/${id}`)).value).toMatchObject({ status: "paused" }), {
    timeout: 30_000,
    interval: 100,
  });
  const { events } = (await call("GET", `/runs/${id}/events`)).value as { events: { type: string }[] };
  expect(events.map(({ type }) => type)).toContain("task.stale");
  const resumed = await call("POST", `/runs/${id}/resume`, { staleSeconds: 0 });
  expect(resumed.status).toBe(202);
  await call("POST", `/runs/${id}/cancel`);
});

it("a time that is none is refused", async () => {
  const workspace = place.makeWorkspace({ "a.md": "" });
  const wrong = await call("POST", "/runs", { kind: "goal", plan: PLAN, workspace, staleSeconds: -1 });
  expect(wrong).toMatchObject({ status: 400, value: { error: { code: "input.invalid" } } });
});
