import { once } from "node:events";
import { HOST_LIMITS } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { loadHttpTokens } from "../../../app/index.ts";
import { openHostServer } from "../host/testing/open-host-server.ts";
import { type Connection, connect, refusal } from "./testing/connect.ts";

const place = openHostServer();
const openPlace = openHostServer({ auth: false });
let conversations = 0;
const newConversation = () => `socket-${conversations++}`;
const say = (id: string, text: string) => ({ type: "message", id, text });
const deltasOf = ({ frames }: Connection) =>
  frames.flatMap(({ type, data }) => (type === "message.delta" ? [(data as { text: string }).text] : []));

describe("a conversation over a WebSocket", () => {
  it("streams an answer: accepted, deltas, the message, the end, the result", async () => {
    const connection = await connect(place.server, { conversation_id: newConversation(), agent: "helper" });
    connection.send(say("1", "one two"));
    expect(await connection.result("1")).toMatchObject({ kind: "answered", ok: true, text: "one two" });
    expect(connection.frames.map(({ type }) => type)).toEqual([
      ...["ready", "accepted", "event.received", "run.started", "message.delta", "message.delta"],
      ...["message.completed", "run.ended", "result"],
    ]);
    expect(deltasOf(connection).join("")).toBe("one two");
    connection.send({ type: "ping" });
    await connection.find(({ type }) => type === "pong");
    await connection.close();
  });

  it("has several messages in flight: those that wait are queued, those that steer are absorbed", async () => {
    const waiting = await connect(place.server, { conversation_id: newConversation(), agent: "helper" });
    for (const id of ["1", "2", "3"]) waiting.send(say(id, `answer ${id}`));
    for (const id of ["1", "2", "3"]) expect(await waiting.result(id)).toMatchObject({ text: `answer ${id}` });
    expect(waiting.frames.map(({ type }) => type)).toContain("event.queued");
    await waiting.close();
    const steered = await connect(place.server, { conversation_id: newConversation(), agent: "odd" });
    steered.send(say("a", "steer"));
    await steered.find(({ type }) => type === "run.started");
    await expect
      .poll(async () => {
        const { plugins } = await place.server.dock.host.status();
        return plugins.find(({ id }) => id === "test/odd")?.process?.openRuns;
      })
      .toBeGreaterThan(0);
    steered.send(say("b", "to the left"));
    expect(await steered.result("b")).toMatchObject({ kind: "absorbed" });
    expect(await steered.result("a")).toMatchObject({ text: "steered: to the left" });
    await steered.close();
  });

  it("sends a message to the agent that it names, and keeps the name of its file", async () => {
    const connection = await connect(place.server, { conversation_id: newConversation(), agent: "odd" });
    const url = "data:text/csv;name=sales%20%282026%29.csv;base64,YQ==";
    connection.send({ ...say("1", "named"), agent: "helper", contents: [{ type: "image_url", image_url: { url } }] });
    const result = await connection.result("1");
    expect(result).toMatchObject({ kind: "answered", text: "named" });
    const files = await place.server.dock.runs.artifacts(String(result?.runId));
    expect(files).toMatchObject([{ name: "sales (2026).csv", mime: "text/csv" }]);
    await connection.close();
  });

  it("cancels one message and leaves the next", async () => {
    const connection = await connect(place.server, { conversation_id: newConversation(), agent: "odd" });
    connection.send(say("1", "slow"));
    await connection.find(({ type }) => type === "message.delta");
    connection.send({ type: "cancel", id: "1" });
    expect(await connection.result("1")).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    connection.send(say("2", "stream"));
    expect(await connection.result("2")).toMatchObject({ ok: true });
    connection.send({ type: "cancel", runId: "run_of_somebody_else" });
    const refused = await connection.find(({ type }) => type === "error");
    expect(refused.error).toMatchObject({ code: "run.not_found" });
    await connection.close();
  });

  it("loses nothing when the connection breaks: it goes on after the last cursor", async () => {
    const query = { conversation_id: newConversation(), agent: "odd" };
    const first = await connect(place.server, query);
    first.send(say("1", "slow"));
    await first.find(({ type }) => type === "message.delta");
    first.socket.terminate();
    await once(first.socket, "close");
    const seen = first.frames.filter(({ cursor, type }) => cursor !== undefined && type !== "ready");
    const after = String(seen.at(-1)?.cursor);
    const second = await connect(place.server, { ...query, after });
    await second.find(({ type }) => type === "run.ended");
    const whole = [...deltasOf(first), ...deltasOf(second)];
    expect(whole).toEqual(Array.from({ length: 20 }, (_, index) => `${index} `));
    // The message itself can be sent again: it is known by its id.
    second.send(say("1", "slow"));
    expect(await second.result("1")).toMatchObject({ kind: "duplicate" });
    await second.close();
    const late = await connect(place.server, { ...query, after: "000000000000-1" });
    await late.find(({ type }) => type === "feed.reset");
    expect(deltasOf(late)).toHaveLength(20);
    await late.close();
  });

  it("shows what others send to the same conversation, and nothing of another one", async () => {
    const conversation_id = newConversation();
    const mine = await connect(place.server, { conversation_id });
    const other = await connect(place.server, { conversation_id: newConversation() });
    await mine.find(({ type }) => type === "ready");
    await other.find(({ type }) => type === "ready");
    const body = { text: "from elsewhere", conversation: { conversation_id } };
    await place.call("POST", "/host/agents/helper/messages", body);
    const message = await mine.find(({ type }) => type === "message.completed");
    expect(message.data).toMatchObject({ text: "from elsewhere" });
    expect(other.frames.map(({ type }) => type)).toEqual(["ready"]);
    await Promise.all([mine.close(), other.close()]);
  });
});

describe("what is refused", () => {
  it("no token, a wrong one, one with too little scope, or a page of somebody else", async () => {
    const query = { conversation_id: "refused" };
    const { server } = place;
    expect(await refusal({ ...server, token: null }, query)).toMatchObject({ status: 401 });
    expect(await refusal({ ...server, token: "x".repeat(43) }, query)).toMatchObject({ status: 401 });
    const { createHttpToken } = await loadHttpTokens();
    const { token } = await createHttpToken(server.dock.home, { name: "reader", scope: "read" });
    expect(await refusal({ ...server, token }, query)).toMatchObject({ status: 403 });
    const foreign = { headers: { origin: "https://evil.example" } };
    expect(await refusal(server, query, foreign)).toMatchObject({
      status: 403,
      error: { code: "policy.network_denied" },
    });
    expect(await refusal(openPlace.server, query, foreign)).toMatchObject({ status: 403 });
    expect(await refusal(openPlace.server, query, { headers: { origin: "null" } })).toMatchObject({ status: 403 });
    expect(await refusal(server, {})).toMatchObject({ status: 400 });
    expect(await refusal(server, { conversation_id: "x", colour: "red" })).toMatchObject({ status: 400 });
  });

  it("takes the token of a page as a subprotocol, and does not say it back", async () => {
    const protocols = ["drydock.v1", `bearer.${place.server.token}`];
    const connection = await connect(place.server, { conversation_id: "page" }, { protocols });
    expect(connection.socket.protocol).toBe("drydock.v1");
    await connection.close();
  });

  it("a token that is revoked ends its connections", async () => {
    const { createHttpToken, revokeHttpToken } = await loadHttpTokens();
    const { home } = place.server.dock;
    const { token } = await createHttpToken(home, { name: "short", scope: "run" });
    const connection = await connect({ ...place.server, url: place.server.url, token }, { conversation_id: "short" });
    const closed = once(connection.socket, "close");
    await revokeHttpToken(home, "short");
    expect((await closed)[0]).toBe(1008);
  });

  it("frames that are no message cost an error; bytes and large ones the connection", async () => {
    const query = { conversation_id: newConversation(), agent: "helper" };
    const connection = await connect(place.server, query);
    connection.socket.send("{");
    connection.send({ type: "message", id: "x", text: "hi", colour: "red" });
    const named = await connection.find(({ type, id }) => type === "error" && id === "x");
    expect(named.error).toMatchObject({ code: "input.invalid", hint: expect.any(String) });
    connection.send(say("1", "still there"));
    expect(await connection.result("1")).toMatchObject({ text: "still there" });
    const closed = once(connection.socket, "close");
    connection.socket.send(Buffer.from("bytes"));
    expect((await closed)[0]).toBe(1003);
    const large = await connect(place.server, query);
    const tooLarge = once(large.socket, "close");
    large.send(say("1", "x".repeat(HOST_LIMITS.eventBytes)));
    expect((await tooLarge)[0]).toBe(1009);
  });

  it("an unknown agent is said for the message", async () => {
    const connection = await connect(place.server, { conversation_id: newConversation(), agent: "nobody" });
    connection.send(say("1", "hi"));
    const refused = await connection.find(({ type, id }) => type === "error" && id === "1");
    expect(refused.error).toMatchObject({ code: "agent.not_found" });
    await connection.close();
  });

  it("the 33rd message that waits", async () => {
    const connection = await connect(place.server, { conversation_id: newConversation(), agent: "helper" });
    for (let number = 0; number < 33; number++) connection.send(say(String(number), "x"));
    const refused = await connection.find(({ type }) => type === "error");
    expect([refused.id, refused.error]).toMatchObject(["32", { code: "limit.concurrency" }]);
    await connection.result("31");
    await connection.close();
  });
});

it("a server that closes says so to its connections", async () => {
  const { serve } = await import("../index.ts");
  const server = await serve([], { port: 0, warm: 0, dock: openPlace.server.dock });
  const connection = await connect(server, { conversation_id: "closing" });
  const closed = once(connection.socket, "close");
  await server.close();
  expect((await closed)[0]).toBe(1001);
});
