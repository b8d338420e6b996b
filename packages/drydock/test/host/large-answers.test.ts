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

it("the state of a scope has a limit, and a run starts with as much of it as a message can hold", async () => {
  const agent = await caller.addAgent({ grants: { stateScopes: ["actor"] } });
  const set = (index: number) =>
    ["state_set", { scope: "actor", key: `k${index}`, value: LONG.slice(0, 250_000) }] as const;
  const codes: string[] = [];
  for (let count = 0; count < 6; count++)
    codes.push(...(await agent.ask({ atOnce: [0, 1, 2].map((index) => set(count * 3 + index)) })).codes);
  expect(codes).toEqual([...Array(16).fill("ok"), "payload_too_large", "payload_too_large"]);
  // What is there already can be changed, and what is deleted makes room.
  const remove = ["state_delete", { scope: "actor", key: "k1" }] as const;
  const reply = await agent.ask({ atOnce: [["state_list", { scope: "actor" }], set(0), set(16)], calls: [remove] });
  expect(reply.codes).toEqual(["ok", "ok", "ok"]);
  expect(reply.stateKeys).toEqual(["k0", "k1", "k10", "k11"]);
});

it("what a run reads again and again, what it is refused and its warnings fill no ledger", async () => {
  const agent = await caller.addAgent({ grants: { pluginStorage: true } });
  const value = Buffer.alloc(700_000).toString("base64");
  await agent.ask({ calls: [["set_plugin_storage", { key: "large", value }]] });
  const reads = Array(45).fill(["get_plugin_storage", { key: "large" }]);
  const { runId, codes } = await agent.ask({ odd: 900, atOnce: [...reads, ...Array(1500).fill(["get_prompt"])] });
  const events = await caller.dock.runs.events(runId);
  const calls = events.filter(({ type }) => type === "host.called").map(({ data }) => data);
  const read = calls.filter(({ method }) => method === "get_plugin_storage");
  // 8 MiB hold 8 of them; the others are on record without their values.
  expect(read.filter((data) => "params" in data)).toHaveLength(8);
  expect(read.filter(({ ok, unkept }) => ok === true && unkept === true)).toHaveLength(37);
  const limited = codes.filter((code) => code === "rate_limited").length;
  const noted = calls.filter(({ code }) => code === "rate_limited");
  expect(limited).toBeGreaterThanOrEqual(200);
  expect(noted.length).toBeLessThan(110);
  expect(noted.filter(({ count }) => count === 200)).toHaveLength(1);
  const warned = events.filter(({ type }) => type === "runner.warned");
  expect(warned).toHaveLength(103);
  expect(warned.at(-1)?.data).toMatchObject({ count: 800 });
});
