import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openCaller } from "./testing/open-caller.ts";

const MOST = RUNNER_LIMITS.storageValueBytes;
let caller: Caller;

beforeAll(async () => {
  caller = await openCaller({ plugins: ["caller", "caller-python", "storer"] });
});
afterAll(() => caller.close());

it.each([
  ["TypeScript", "plugin:test/storer/all"],
  ["Python", "plugin:test/caller-python/all"],
])("a stored value can be as large as its limit, though a line can't, and not larger: %s", async (_name, runner) => {
  const agent = await caller.addAgent({ runner });
  const sent = await agent.send(JSON.stringify({ sizes: [MOST, MOST + 1, 4_000_001, 3] }));
  expect(sent).toMatchObject({ ok: true });
  if (sent.kind !== "answered") throw new Error();
  expect(JSON.parse(sent.text).answers).toEqual([true, "payload_too_large", true, true]);
});

it("parts that a runner makes itself are checked; nothing is stored before all is there", async () => {
  const agent = await caller.addAgent({});
  const set = (value: string, offset: number, total_bytes = 4) =>
    [
      "set_plugin_storage",
      { key: "parts", value: Buffer.from(value).toString("base64"), offset, total_bytes },
    ] as const;
  const get = ["get_plugin_storage", { key: "parts" }] as const;
  const { answers } = await agent.ask({ calls: [set("ab", 0), get, set("cd", 3), set("cd", 2), get, set("ab", 0)] });
  expect(answers).toMatchObject([
    {},
    { value: null },
    { error: { code: "invalid_argument", details: { offset: 2 } } },
    {},
    { value: Buffer.from("abcd").toString("base64") },
    {},
  ]);
  // What the last run left unfinished is gone with it.
  expect((await agent.ask({ calls: [set("cd", 2), get] })).answers).toMatchObject([
    { error: { code: "invalid_argument" } },
    { value: Buffer.from("abcd").toString("base64") },
  ]);
});

it("parts are refused where the storage is", async () => {
  const agent = await caller.addAgent({ grants: { pluginStorage: false } });
  const part = { key: "k", value: "YQ==", offset: 0, total_bytes: 2 };
  expect((await agent.ask({ calls: [["set_plugin_storage", part]] })).answers).toMatchObject([
    { error: { code: "unauthorized" } },
  ]);
});
