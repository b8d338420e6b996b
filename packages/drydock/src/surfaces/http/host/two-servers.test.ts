import { afterAll, beforeAll, expect, it } from "vitest";
import { type DrydockServer, serve } from "../index.ts";
import { openHostServer } from "./testing/open-host-server.ts";

const place = openHostServer({ auth: false });
let second: DrydockServer;

beforeAll(async () => {
  second = await serve([], { port: 0, warm: 0, auth: false, home: place.server.dock.home });
});
afterAll(() => second?.close());

const post = async (url: string, path: string, body: unknown) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
};

it("two servers on one home share agents, and an event that reaches both is handled once", async () => {
  const event = {
    ...{ type: "message.received", source_event_id: "both", input: { text: "once" } },
    conversation: { conversation_id: "shared" },
  };
  const answers = await Promise.all([place.server, second].map(({ url }) => post(url, "/api/events", event)));
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["answered", "duplicate"]);
  const { agents } = (await (await fetch(`${second.url}/host/agents`)).json()) as { agents: { name: string }[] };
  expect(agents.map(({ name }) => name)).toEqual(["helper", "odd", "snake"]);
});

it("a conversation that one server deletes is ended in the other first", async () => {
  const conversation = { conversation_id: "across" };
  const started = Promise.withResolvers<void>();
  const running = place.server.dock.host.send(
    { type: "message.received", conversation, input: { text: "hang" } },
    { agent: "odd", onStarted: () => started.resolve() },
  );
  await started.promise;
  const { host } = second.dock;
  const id = (await host.conversations.idOf({ conversation, synthetic: false })) ?? "";
  expect(await host.conversations.delete(id)).toMatchObject({ events: 1 });
  expect(await running).toMatchObject({ error: { code: "run.cancelled" } });
  await expect(host.conversations.get(id)).rejects.toMatchObject({ code: "conversation.not_found" });
  expect(await second.dock.audit.verify()).toMatchObject({ ok: true });
});
