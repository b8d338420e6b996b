import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { openTestServer } from "./testing/open-test-server.ts";

const place = openTestServer();
const { call } = place;
const FILES = {
  "calc.py": "def add(a, b):\n    return a - b\n",
  "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
};

it("a goal is repaired without a model, and its events tell how the search gets on", { timeout: 120_000 }, async () => {
  const workspace = place.makeWorkspace(FILES);
  const goal = { kind: "goal", goal: "Fix add()", model: "repair", workspace, apply: "never" };
  const { id } = (await call("POST", "/runs", { ...goal, repair: { seconds: 40, candidates: 200, seed: 3 } })).value;
  await call("GET", `/runs/${id}/events`, undefined, { accept: "text/event-stream" });
  const { events } = (await call("GET", `/runs/${id}/events`)).value as { events: RunEvent[] };
  const data = (type: string) => events.filter((event) => event.type === type).map((event) => event.data);
  expect(data("run.created")).toMatchObject([{ request: { worker: "repair", model: null, repair: { seed: 3 } } }]);
  expect(data("repair.progressed").map(({ phase }) => phase)).toContain("search");
  expect(data("repair.finished")).toMatchObject([{ stopped: "found", outcome: expect.any(String) }]);
  expect((await call("GET", `/runs/${id}`)).value).toMatchObject({ status: "succeeded", verdict: "passed" });
  await call("POST", `/runs/${id}/apply`);
  expect(readFileSync(join(workspace, "calc.py"), "utf8")).toContain("a + b");
});

it.each([
  ["attempts side by side without a model", { model: "repair", bestOf: 2 }],
  ["a budget without a model", { model: "repair", budget: { usd: 1 } }],
  ["a way of working without a model", { model: "repair", way: "writes" }],
  ["repair after repair", { model: "repair", thenRepair: true }],
  ["bounds of a search that is not made", { model: "openai/x", repair: { seed: 2 } }],
  ["more attempts side by side than are possible", { bestOf: 17 }],
  ["a search that never ends", { model: "repair", repair: { seconds: 0 } }],
  ["bounds that are none", { model: "repair", repair: { hours: 1 } }],
])("refuses %s", async (_name, asked) => {
  const workspace = place.makeWorkspace(FILES);
  const answer = await call("POST", "/runs", { kind: "goal", goal: "Fix add()", workspace, ...asked });
  expect(answer).toMatchObject({ status: 400, value: { error: { code: "input.invalid" } } });
});
