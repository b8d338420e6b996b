import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const CHECKS = [{ type: "file_contains", path: "calc.py", needle: "a + b" }];
const PLAN = { goal: "Make add() add", tasks: [{ id: "fix", checks: CHECKS, attempts: 1 }] };
const place = openTestServer({
  script: [{ when: { step: "work" }, writes: [{ path: "calc.py", content: "def add(a, b):\n    return a + b\n" }] }],
});
const { call } = place;

it("a goal goes on from the result of one that has ended, in the same workspace only", async () => {
  const workspace = place.makeWorkspace({ "calc.py": "def add(a, b):\n    return a - b\n" });
  const goal = { kind: "goal", plan: PLAN, workspace, apply: "never" };
  const start = async (body: object) => {
    const { id } = (await call("POST", "/runs", body)).value;
    await call("GET", `/runs/${id}/events`, undefined, { accept: "text/event-stream" });
    return String(id);
  };
  const first = await start(goal);
  const second = await start({ ...goal, follow: first });
  const { events } = (await call("GET", `/runs/${second}/events`)).value as { events: object[] };
  expect(events).toContainEqual(
    expect.objectContaining({ type: "run.followed", data: expect.objectContaining({ run: first }) }),
  );
  const other = place.makeWorkspace({});
  const wrong = await call("POST", "/runs", { ...goal, workspace: other, follow: first });
  expect(wrong).toMatchObject({ status: 400, value: { error: { code: "input.invalid", hint: expect.any(String) } } });
  expect((await call("POST", "/runs", { ...goal, follow: "run_none" })).status).toBe(404);
});
