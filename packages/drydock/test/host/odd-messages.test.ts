import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const t = openTestDock();

beforeAll(async () => {
  const { plugins, agents } = t.dock.host;
  await plugins.add(join(import.meta.dirname, "plugins/raw"));
  await agents.add({ name: "raw", runner: "plugin:test/raw/raw" });
  await agents.bind({ agent: "raw", scope: "global" });
});

const send = (text: string, conversation_id: string) =>
  t.dock.host.send({ type: "message.received", conversation: { conversation_id }, input: { text } });

const ODD = '{"toString":1,"valueOf":1}';
const nest = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
const result = (data: string) =>
  `{"jsonrpc":"2.0","method":"run.result","params":{"channel":"CHANNEL","result":{"type":"state.updated","data":${data}}}}`;

it.each([
  ["a channel that has no text", `{"jsonrpc":"2.0","method":"run.result","params":{"channel":${ODD}}}`, "ok"],
  ["a method that has no name", `{"jsonrpc":"2.0","method":${ODD}}`, "runner.channel_lost"],
  ["a log that is an odd object", `{"jsonrpc":"2.0","method":"log","params":{"level":${ODD},"message":${ODD}}}`, "ok"],
  ["a value of 3,000 levels", result(`{"scope":"conversation","key":"k","value":${nest(3000)}}`), "runner.protocol"],
  ["a value of 100,000 levels", result(`{"scope":"conversation","key":"k","value":${nest(1e5)}}`), "runner.protocol"],
  ["a result of 3,000 levels", result(nest(3000)), "runner.protocol"],
])("%s ends its own run at most, and never the host", async (name, line, expected) => {
  const sent = await send(line, `odd ${name}`);
  expect(sent).toMatchObject(expected === "ok" ? { ok: true, text: "still here" } : { error: { code: expected } });
  expect(await send("", `next ${name}`)).toMatchObject({ ok: true, text: "still here" });
});

it.each([
  ["nested deeply", `"kb_id":"none","filters":{"a":${nest(20_000)}}`],
  ["named by an odd object", `"kb_id":${ODD},"query_text":"x"`],
])("a refused call whose params are %s is on record", async (name, params) => {
  const call = `{"jsonrpc":"2.0","id":77,"method":"retrieve_knowledge","params":{"run_id":"RUN",${params}}}`;
  const sent = await send(call, `refused ${name}`);
  if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
  const events = await t.dock.runs.events(sent.runId);
  expect(events.filter(({ type }) => type === "host.called").map(({ data }) => data)).toMatchObject([
    { method: "retrieve_knowledge", ok: false },
  ]);
});
