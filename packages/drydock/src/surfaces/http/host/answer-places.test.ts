import { createClient } from "@drydock/client";
import { expect, it } from "vitest";
import { loadHttpTokens } from "../../../app/index.ts";
import { openHostServer } from "./testing/open-host-server.ts";

const { createHttpToken } = await loadHttpTokens();
const place = openHostServer();
const open = (token: string) => createClient({ baseUrl: place.server.url, token });

it("a token that sends events can't have the bot of a source write wherever it likes", async () => {
  const { dock } = place.server;
  const { token } = await createHttpToken(dock.home, { scope: "run", name: "sender" });
  const delivery = { surface: "telegram", reply_target: { source: "support", chat_id: 99 } };
  const event = { type: "message.received", conversation: { conversation_id: "spam" }, input: { text: "Buy" } };
  await expect(open(token).host.events.send({ ...event, delivery })).rejects.toMatchObject({
    message: expect.stringContaining("the request needs admin"),
    data: { status: 403 },
  });
  expect((await dock.host.conversations.list({ identity: event.conversation })).conversations).toEqual([]);
  // Without such a place, and for whoever may change agents, it is an event like any other.
  expect(await open(token).host.events.send(event)).toMatchObject({ kind: "answered" });
  expect(await open(place.server.token ?? "").host.events.send({ ...event, delivery })).toMatchObject({
    kind: "answered",
    warnings: [expect.stringContaining("could not be delivered")],
  });
});
