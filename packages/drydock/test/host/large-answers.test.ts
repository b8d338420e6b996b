import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openCaller } from "./testing/open-caller.ts";

const LONG = "x".repeat(900_000);
let caller: Caller;

beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

it("a long conversation is read in pages that fit into a message, and ends no process", async () => {
  const agent = await caller.addAgent({ grants: { stateScopes: ["conversation"] } });
  const conversation = { conversation_id: "long" };
  const said = ["message.completed", { message: { role: "assistant", content: LONG } }] as const;
  // Each is in the history with what the user sent, which is as long, and with a short reply.
  for (let count = 0; count < 10; count++) await agent.send({ results: [said] }, {}, { conversation });
  const search = ["history_search", { query: "xxx", top_k: 100 }] as const;
  const pages = Array(4).fill(["history_page", { limit: 100 }]);
  const reply = await agent.ask({ paged: true, atOnce: [search, ...pages] }, {}, { conversation });
  expect(reply.codes).toEqual(Array(5).fill("ok"));
  expect(reply.pages.reduce((sum, { items }) => sum + items, 0)).toBe(31);
  for (const { bytes } of reply.pages) expect(bytes).toBeLessThanOrEqual(RUNNER_LIMITS.pageBytes + 100);
});
