import { randomBytes } from "node:crypto";
import { createClient } from "@drydock/client";
import { sign } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../base/testing/eventually.ts";
import { openHostServer } from "../host/testing/open-host-server.ts";

const place = openHostServer();
const SECRET = `whsec_${randomBytes(24).toString("base64")}`;
const OLD_SECRET = `whsec_${randomBytes(24).toString("base64")}`;
const GITHUB_SECRET = "a secret of a hook at GitHub";
const open = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });
let ids = 0;

beforeAll(async () => {
  const { host, extensions } = place.server.dock;
  for (const [name, value] of Object.entries({ SHOP: SECRET, SHOP_OLD: OLD_SECRET, CI: GITHUB_SECRET }))
    await extensions.secrets.set(name, value);
  const { sources } = host;
  await sources.add({ name: "shop", type: "webhook", secrets: { secret: "SHOP", previous: "SHOP_OLD" } });
  await sources.add({
    ...{ name: "ci", type: "webhook", secrets: { secret: "CI" } },
    settings: { scheme: "github", text: "Somebody pushed." },
  });
  await sources.add({ name: "off", type: "webhook", secrets: { secret: "SHOP" }, enabled: false });
  for (const name of ["shop", "ci"]) await host.agents.bind({ agent: "helper", scope: "bot", value: name, event: "*" });
  const isRunning = async (name: string) => (await sources.find(name)).status.state === "running";
  expect(await eventually(async () => (await isRunning("shop")) && (await isRunning("ci")))).toBe(true);
});

const post = async (name: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${place.server.url}/hooks/${name}`, { method: "POST", headers, body });
  const text = await answer.text();
  return { status: answer.status, text, value: JSON.parse(text) as { eventId: string; kind: string } };
};
const signed = (body: string, { secret = SECRET, at = new Date(), id = `msg_${ids++}` } = {}) => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign(id, at, body),
});
const github = async (body: string, { event = "push", delivery = `d-${ids++}`, secret = GITHUB_SECRET } = {}) => ({
  "x-github-event": event,
  "x-github-delivery": delivery,
  "x-hub-signature-256": await sign(secret, body),
});
const ended = async (eventId: string) => {
  const isEnded = async () => {
    const { runId } = await open().host.events.get(eventId);
    return runId !== null && (await open().runs.get(runId)).status === "succeeded";
  };
  expect(await eventually(isEnded)).toBe(true);
  return open().host.events.get(eventId);
};

describe("a delivery that is signed as Standard Webhooks says", () => {
  it("becomes an event and a run, without a token", async () => {
    const body = JSON.stringify({ type: "order.paid", data: { order: 7 } });
    const { status, value } = await post("shop", body, signed(body));
    expect([status, value.kind]).toEqual([202, "accepted"]);
    expect(await ended(value.eventId)).toMatchObject({
      type: "webhook.received",
      event: {
        ...{ source: "api", source_event_type: "order.paid", conversation: { bot_id: "shop" } },
        data: { payload: { data: { order: 7 } } },
      },
    });
  });

  it("by the secret before this one is taken as well", async () => {
    const body = '{"type":"rotated"}';
    expect((await post("shop", body, signed(body, { secret: OLD_SECRET }))).status).toBe(202);
  });

  it("that comes again makes no second run, whether its service or somebody else sends it", async () => {
    const body = '{"type":"twice"}';
    const headers = signed(body, { id: "msg_twice" });
    const first = await post("shop", body, headers);
    const again = await post("shop", body, headers);
    const later = await post("shop", body, signed(body, { id: "msg_twice" }));
    expect([first, again, later].map(({ status, value }) => [status, value.kind])).toEqual([
      ...[
        [202, "accepted"],
        [200, "duplicate"],
        [200, "duplicate"],
      ],
    ]);
    expect(new Set([first, again, later].map(({ value }) => value.eventId)).size).toBe(1);
  });

  it("of text that is no JSON is an event, and one that is nested too deeply is none", async () => {
    const plain = await post("shop", "just words", signed("just words"));
    expect(await ended(plain.value.eventId)).toMatchObject({ event: { data: { payload: "just words" } } });
    const deep = "[".repeat(3000) + "]".repeat(3000);
    expect((await post("shop", deep, signed(deep))).status).toBe(422);
  });
});

describe("what is refused", () => {
  const body = '{"type":"forged"}';
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);

  it.each<[string, string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ["no signature", "shop", () => ({})],
    ["the signature of another secret", "shop", () => signed(body, { secret: `whsec_${"A".repeat(32)}` })],
    ["a signature of other words", "shop", () => signed('{"type":"other"}')],
    ["a time stamp of six minutes ago", "shop", () => signed(body, { at: minutes(-6) })],
    ["a time stamp that is yet to come", "shop", () => signed(body, { at: minutes(6) })],
    ["an id that was not signed", "shop", () => ({ ...signed(body), "webhook-id": "another" })],
    ["a signature of another scheme", "shop", () => github(body)],
    ["no signature of GitHub", "ci", () => ({ "x-github-event": "push" })],
    ["a wrong one of GitHub", "ci", () => github(body, { secret: "another secret" })],
    ["a wrong form of it", "ci", async () => ({ ...(await github(body)), "x-hub-signature-256": "sha256=00" })],
    ["a source that is switched off", "off", () => signed(body)],
    ["a name that nobody has", "nobody", () => signed(body)],
    ["a name that can't be one", "..%2Fhost%2Fagents", () => signed(body)],
  ])("gets one and the same answer: %s", async (_name, name, headers) => {
    const { status, text } = await post(name, body, await headers());
    expect([status, text]).toEqual([401, '{"error":"The signature is wrong, or there is no such hook."}']);
  });

  it("is a body of more than 1 MiB, for any name alike", async () => {
    const large = "x".repeat(1024 * 1024 + 1);
    const [known, unknown] = [await post("shop", large, signed(body)), await post("nobody", large)];
    expect([known.status, unknown.status]).toEqual([413, 413]);
    expect(known.text).toBe(unknown.text);
  });
});

describe("a delivery of GitHub", () => {
  const push = JSON.stringify({ ref: "refs/heads/main", repository: { full_name: "acme/dock" } });

  it("is an event of its own type, with what the agent is told", async () => {
    const { value } = await post("ci", push, await github(push));
    expect(await ended(value.eventId)).toMatchObject({
      type: "github.push",
      event: { input: { text: "Somebody pushed." }, data: { payload: { repository: { full_name: "acme/dock" } } } },
    });
    const opened = JSON.stringify({ action: "opened", number: 3 });
    const { value: other } = await post("ci", opened, await github(opened, { event: "pull_request" }));
    expect(await ended(other.eventId)).toMatchObject({
      type: "github.pull_request",
      event: { source_event_type: "pull_request.opened" },
    });
  });

  it("that is sent again is known, also under another number or event, which are not signed", async () => {
    const body = '{"ref":"refs/heads/again"}';
    const first = await post("ci", body, await github(body, { delivery: "one" }));
    const again = await post("ci", body, await github(body, { delivery: "one" }));
    const replayed = await post("ci", body, await github(body, { delivery: "two" }));
    const renamed = await post("ci", body, await github(body, { event: "workflow_dispatch" }));
    const kinds = [first, again, replayed, renamed].map(({ value }) => value.kind);
    expect(kinds).toEqual(["accepted", "duplicate", "duplicate", "duplicate"]);
    await place.server.dock.host.sources.change("ci", { settings: { identify: "delivery" } });
    const isTaken = async () => {
      const { status, value } = await post("ci", body, await github(body, { delivery: "three" }));
      return status !== 401 && value.kind === "accepted";
    };
    expect(await eventually(isTaken)).toBe(true);
  });
});

describe("sources over HTTP", () => {
  it("are listed with their forms, tried, changed and removed by the typed client, and show no secret", async () => {
    const { sources } = open().host;
    const { types } = await sources.types();
    expect(types.filter(({ type }) => type === "schedule" || type === "webhook")).toMatchObject([
      { type: "schedule", settings: { properties: { cron: { type: "string" } }, required: ["cron"] } },
      {
        type: "webhook",
        secrets: [
          { name: "secret", required: true },
          { name: "previous", required: false },
        ],
      },
    ]);
    const made = await sources.create({ name: "hook", type: "webhook", secrets: { secret: "SHOP" } });
    expect(made).toMatchObject({ address: "/hooks/hook", secrets: { secret: "SHOP" }, settings: {} });
    expect(await sources.test("hook")).toMatchObject({ ok: true, detail: expect.stringContaining("/hooks/hook") });
    expect(await sources.change("hook", { enabled: false })).toMatchObject({ status: { state: "disabled" } });
    expect((await place.call("GET", "/host/sources")).text).not.toContain(SECRET.slice(6));
    await sources.remove("hook");
    await expect(sources.get("hook")).rejects.toMatchObject({ code: "source.not_found", data: { status: 404 } });
  });

  it.each([
    ["a type that does not exist", { name: "x", type: "pigeon" }, /no type of source pigeon/],
    [
      "a setting that is misspelled",
      { name: "x", type: "webhook", settings: { shceme: "github" } },
      /no setting shceme/,
    ],
    [
      "a secret among the settings",
      { name: "x", type: "webhook", settings: { secret: "hunter2" } },
      /no setting secret/,
    ],
    ["a secret that is missing", { name: "x", type: "webhook" }, /needs the secret secret/],
    [
      "a secret that is not stored",
      { name: "x", type: "webhook", secrets: { secret: "NOT_THERE" } },
      /no secret NOT_THERE/,
    ],
    ["the value of a secret", { name: "x", type: "webhook", secrets: { secret: "hunter-2:value" } }, /never its value/],
    ["a schedule that never fires", { name: "x", type: "schedule", settings: { cron: "0 0 30 2 *" } }, /never fires/],
    ["a name that is taken", { name: "shop", type: "webhook", secrets: { secret: "SHOP" } }, /a source shop already/],
  ])("are refused with what is wrong, and never repeat a secret: %s", async (_name, body, message) => {
    const { status, text } = await place.call("POST", "/host/sources", body);
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    expect(text).not.toContain("hunter");
  });
});
