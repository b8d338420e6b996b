import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrydockServer, serve } from "drydock";
import { createClient } from "drydock/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProxy } from "./testing/open-proxy.ts";

const home = mkdtempSync(join(tmpdir(), "drydock-conversations-"));
const ECHO = join(import.meta.dirname, "../../../runners/echo");
let server: DrydockServer;
let proxy: Awaited<ReturnType<typeof openProxy>>;

beforeAll(async () => {
  server = await serve([], { port: 0, home, warm: 1 });
  await server.dock.host.plugins.add(ECHO);
  await server.dock.host.agents.add({ name: "helper", runner: "plugin:drydock/echo/echo" });
  await server.dock.host.agents.bind({ agent: "helper" });
  proxy = await openProxy(server.port);
});
afterAll(async () => {
  proxy.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const open = (baseUrl = proxy.url, token = server.token ?? "") => createClient({ baseUrl, token });
const say = (text: string, conversation_id: string) =>
  open(server.url).host.agents.send("helper", text, { conversation: { conversation_id } });

/** Texts of messages, until there are so many. */
async function collect(events: AsyncIterable<{ type: string; data: Record<string, unknown> }>, count: number) {
  const texts: unknown[] = [];
  for await (const { type, data } of events) {
    if (type === "message.completed") texts.push(data.text);
    if (texts.length === count) break;
  }
  return texts;
}

it("follows a conversation over a connection that breaks: each event once, and in order", async () => {
  await say("zero", "sse");
  const { conversations } = await open().host.conversations.list({ conversation_id: "sse" });
  const id = conversations[0]?.id ?? "";
  const { events } = await open().host.conversations.feed(id);
  const after = events.at(-1)?.cursor;
  const stop = new AbortController();
  const collecting = collect(open().host.conversations.follow(id, { after, signal: stop.signal }), 3);
  const before = proxy.connections();
  for (const text of ["one", "two", "three"]) {
    await say(text, "sse");
    proxy.break();
  }
  expect(await collecting).toEqual(["one", "two", "three"]);
  expect(proxy.connections()).toBeGreaterThan(before);
  stop.abort();
});

it("ends where it is aborted, and says what the server refuses", async () => {
  const { conversations } = open().host;
  const stop = new AbortController();
  const [known] = (await conversations.list()).conversations;
  const following = collect(conversations.follow(known?.id ?? "", { signal: stop.signal }), 1);
  setTimeout(() => stop.abort(), 100);
  expect(await following).toEqual([]);
  const strange = open(server.url, "wrong-token-of-somebody").host.conversations;
  await expect(collect(strange.follow(known?.id ?? ""), 1)).rejects.toMatchObject({ data: { status: 401 } });
  await expect(collect(conversations.follow("cnv_none"), 1)).rejects.toMatchObject({ code: "conversation.not_found" });
});

it("talks over a WebSocket that breaks: messages are handled once, and no event is missed", async () => {
  await using conversation = open().host.conversations.open({ conversation_id: "socket", agent: "helper" });
  const collecting = collect(conversation.events(), 3);
  expect(await conversation.send("one")).toMatchObject({ kind: "answered", text: "one" });
  proxy.break();
  // Sent while there is no connection: it waits for the next one.
  expect(await conversation.send("two", { id: "m2" })).toMatchObject({ kind: "answered", text: "two" });
  proxy.break();
  await say("three", "socket");
  expect(await collecting).toEqual(["one", "two", "three"]);
  expect(await conversation.send("two", { id: "m2" })).toMatchObject({ kind: "duplicate" });
});

it("a WebSocket that is aborted, closed or refused ends its events and its messages", async () => {
  const { conversations } = open().host;
  const stop = new AbortController();
  const aborted = conversations.open({ conversation_id: "aborted" }, { signal: stop.signal });
  const collecting = collect(aborted.events(), 1);
  stop.abort();
  expect(await collecting).toEqual([]);
  await expect(aborted.send("late")).rejects.toMatchObject({ code: "run.cancelled" });
  const refused = open(server.url, "wrong-token-of-somebody").host.conversations.open({ conversation_id: "x" });
  await expect(refused.send("hello")).rejects.toMatchObject({ code: "sandbox.unavailable" });
  await expect(collect(refused.events(), 1)).rejects.toMatchObject({ code: "sandbox.unavailable" });
  const wrong = conversations.open({ conversation_id: "wrong", agent: "nobody" });
  await expect(wrong.send("hello")).rejects.toMatchObject({ code: "agent.not_found" });
  wrong.close();
});
