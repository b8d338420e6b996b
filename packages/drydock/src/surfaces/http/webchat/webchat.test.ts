import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../base/testing/eventually.ts";
import { openHostServer } from "../host/testing/open-host-server.ts";
import { type Visit, visit } from "./testing/visit.ts";

const place = openHostServer();
let address = "";
let other = "";
const open: Visit[] = [];
let ids = 0;

beforeAll(async () => {
  const { host } = place.server.dock;
  const { sources } = host;
  const origins = ["https://www.example.org"];
  const settings = { title: "Help <desk>", greeting: "Hello!", origins, messages_per_minute: 1000 };
  address = place.server.url + (await sources.add({ name: "desk", type: "webchat", settings })).address;
  const strict = { files: false, messages_per_minute: 3 };
  other = place.server.url + (await sources.add({ name: "small", type: "webchat", settings: strict })).address;
  for (const value of ["desk", "small"]) await host.agents.bind({ agent: "helper", scope: "bot", value });
  const isRunning = async (name: string) => (await sources.find(name)).status.state === "running";
  expect(await eventually(async () => (await isRunning("desk")) && (await isRunning("small")))).toBe(true);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const come = async (...args: Parameters<typeof visit>): Promise<Visit> => {
  const visited = await visit(...args);
  open.push(visited);
  return visited;
};
const message = (text: string, more = {}) => ({ id: `message-${ids++}`, text, ...more });
const answered = (visited: Visit, text: string) =>
  visited.find(({ type, from, text: said }) => type === "message" && from === "agent" && said === text);
const refused = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/socket`, ["drydock.v1"], { headers });
    socket.on("open", () => reject(new Error("it was let in")));
    socket.on("error", () => {});
    socket.on("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
  });

describe("a visitor", () => {
  it("is greeted, writes, and is answered while the answer is written", async () => {
    const ann = await come(address);
    expect(ann.frames[0]).toMatchObject({ title: "Help <desk>", greeting: "Hello!", files: true, history: [] });
    expect(await ann.post(message("one two"))).toMatchObject({ status: 202, value: { kind: "accepted" } });
    await answered(ann, "one two");
    await ann.find(({ type }) => type === "ended");
    expect(ann.frames.map(({ type, text, from }) => [type, from ?? "", text ?? ""])).toEqual([
      ...[
        ["ready", "", ""],
        ["message", "visitor", "one two"],
        ["working", "", ""],
      ],
      ...[
        ["delta", "", "one "],
        ["delta", "", "two"],
        ["message", "agent", "one two"],
        ["ended", "", ""],
      ],
    ]);
    const { events } = (await place.server.dock.host.sources.find("desk")).status;
    expect(events).toBeGreaterThanOrEqual(0);
  });

  it("who comes back is told what was said, also what was said meanwhile, and nobody else is", async () => {
    const ann = await come(address);
    await ann.post(message("before"));
    await answered(ann, "before");
    await ann.close();
    open.splice(0);
    const headers = { "drydock-visitor": ann.visitor };
    const form = new FormData();
    form.set("id", "message-meanwhile");
    form.set("text", "meanwhile");
    await fetch(`${address}/messages`, { method: "POST", headers, body: form });
    const isSaid = async () => {
      const again = await come(address, ann.visitor);
      return again.history.length === 4;
    };
    expect(await eventually(isSaid)).toBe(true);
    const again = await come(address, ann.visitor);
    expect(again.history.map(({ from, text }) => [from, text])).toEqual([
      ...[
        ["visitor", "before"],
        ["agent", "before"],
        ["visitor", "meanwhile"],
        ["agent", "meanwhile"],
      ],
    ]);
    const bob = await come(address);
    expect(bob.history).toEqual([]);
    expect(bob.visitor).not.toBe(ann.visitor);
    expect((await come(other, ann.visitor)).history).toEqual([]);
  });

  it("who sends a message twice is answered once; of two tabs both are told", async () => {
    const ann = await come(address);
    const tab = await come(address, ann.visitor);
    const same = message("once");
    expect((await ann.post(same)).value.kind).toBe("accepted");
    await answered(tab, "once");
    expect(await ann.post(same)).toMatchObject({ status: 200, value: { kind: "duplicate" } });
    expect(ann.frames.filter(({ from }) => from === "agent")).toHaveLength(1);
  });

  it("sends files, which are of the run that answers, and does not get them back by guessing", async () => {
    const { dock } = place.server;
    const ann = await come(address);
    const file = new File(["a,b\n1,2\n"], "../../table.csv", { type: "text/csv" });
    const { value } = await ann.post(message("a table", { file }));
    await answered(ann, "a table");
    const { runId } = await dock.host.events.get(String(value.eventId));
    const [artifact] = await dock.runs.artifacts(runId ?? "");
    expect(artifact).toMatchObject({ name: "table.csv", mime: "text/csv" });
    const id = artifact?.id ?? "";
    const loaded = await ann.load(id);
    expect([loaded.status, await loaded.text()]).toEqual([200, "a,b\n1,2\n"]);
    expect(loaded.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(loaded.headers.get("content-security-policy")).toContain("sandbox");
    const bob = await come(address);
    expect((await bob.load(id)).status).toBe(404);
    expect((await fetch(`${address}/files/${id}`)).status).toBe(404);
    const again = await come(address, ann.visitor);
    expect(again.history[0]).toMatchObject({ files: [{ id: "", name: "table.csv", size: 8 }] });
  });
});

describe("what a visitor can't do", () => {
  it.each<[string, () => Promise<number>, number]>([
    ["write without a token", async () => (await fetch(`${address}/messages`, { method: "POST" })).status, 401],
    [
      "write from a page of another site",
      async () => {
        const headers = { origin: "https://evil.example", "drydock-visitor": "A".repeat(43) };
        return (await fetch(`${address}/messages`, { method: "POST", headers })).status;
      },
      403,
    ],
    ["connect from a page of another site", () => refused(address, { origin: "https://evil.example" }), 403],
    ["connect from a site that may embed it", () => refused(address, { origin: "https://www.example.org" }), 403],
    ["find a chat that is not there", () => refused(`${place.server.url}/chat/src_nothing`), 404],
    ["find one by its name", () => refused(`${place.server.url}/chat/desk`), 404],
    ["read the API", async () => (await fetch(`${place.server.url}/host/sources`)).status, 401],
  ])("%s", async (_name, act, status) => {
    expect(await act()).toBe(status);
  });

  it("send too much, too often, or what the chat does not take", async () => {
    const ann = await come(other);
    const status = async (fields: Parameters<Visit["post"]>[0]) => (await ann.post(fields)).status;
    expect(await status({ id: "short", text: "hi" })).toBe(400);
    expect(await status(message("x".repeat(10_001)))).toBe(400);
    expect(await status(message("  "))).toBe(400);
    expect(await status(message("a file", { file: new File(["x"], "x.txt") }))).toBe(400);
    expect([await status(message("1")), await status(message("2")), await status(message("3"))]).toEqual([
      ...[202, 202, 202],
    ]);
    expect(await status(message("4"))).toBe(429);
    // Somebody else is not held up by it.
    const bob = await come(other);
    expect((await bob.post(message("hi"))).status).toBe(202);
    const { server } = place;
    const isCounted = async () => (await server.dock.host.sources.find("small")).status.refused === 1;
    expect(await eventually(isCounted)).toBe(true);
  });

  it("open a chat in more places than a person has", async () => {
    const ann = await come(address);
    for (let tab = 1; tab < 10; tab++) await come(address, ann.visitor);
    await expect(come(address, ann.visitor)).rejects.toThrow("429");
  });
});

describe("the page", () => {
  it("runs no script but its own, may be framed by the sites that are named, and knows nothing of the chat", async () => {
    const answer = await fetch(address);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).toMatch(/frame-ancestors 'self' https:\/\/www\.example\.org$/);
    expect(policy).not.toContain("unsafe");
    const html = await answer.text();
    expect(html).not.toContain("desk");
    expect(Buffer.byteLength(html)).toBeLessThan(25_000);
    const embed = await fetch(`${address}/embed.js`);
    expect([embed.status, embed.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  });

  it("and its connections end when the source is switched off", async () => {
    const { sources } = place.server.dock.host;
    const ann = await come(other);
    const closed = new Promise<number>((resolve) => ann.socket.on("close", resolve));
    await sources.change("small", { enabled: false });
    expect(await closed).toBe(1008);
    open.splice(open.indexOf(ann), 1);
    expect((await fetch(other)).status).toBe(404);
  });
});
