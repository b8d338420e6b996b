import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { findInHome } from "./testing/find-in-home.ts";
import { openSourceDock } from "./testing/open-source-dock.ts";
import { startSlackServer } from "./testing/start-slack-server.ts";

const TOKENS = { bot: "xoxb-slack-test-bot-AAAAAAAAAAAA", app: "xapp-slack-test-app-BBBBBBBBBBBB" };
const SECRETS = { bot_token: "SLACK_BOT", app_token: "SLACK_APP" };
const kit = openSourceDock();
let server: Awaited<ReturnType<typeof startSlackServer>>;
let places = 1;

const newDirect = () => ({ channel: `D${places++}`, channel_type: "im" });
const newChannel = () => ({ channel: `C${places++}`, channel_type: "channel" });
const texts = ({ channel }: { channel: string }) => server.textsOf(channel);
const until = async (condition: () => boolean | Promise<boolean>) => expect(await eventually(condition)).toBe(true);

beforeAll(async () => {
  server = await startSlackServer(TOKENS);
  await kit.dock.extensions.secrets.set("SLACK_BOT", TOKENS.bot);
  await kit.dock.extensions.secrets.set("SLACK_APP", TOKENS.app);
  const settings = { chats: ["*"], max_file_mb: 1, api_root: server.apiRoot };
  const status = await kit.add({ name: "work", type: "slack", settings, secrets: SECRETS });
  expect(status).toMatchObject({ state: "running", problem: null });
  await until(() => server.connections() === 1);
});
afterAll(() => server.close());

describe("messages of Slack", () => {
  it("are answered in a direct message, and acknowledged when they are on record", async () => {
    const place = newDirect();
    const { envelope } = server.say({ ...place, text: "hello &lt;you&gt; &amp; <https://a.test|a link>" });
    await until(() => texts(place).length === 1);
    expect(server.shown.at(-1)).toMatchObject({
      text: "You said: hello &lt;you&gt; &amp; a link (https://a.test)",
      thread: null,
    });
    await until(() => server.acknowledged.includes(envelope));
  });

  it("of a channel are taken where they name the app, and answered in a thread of their own", async () => {
    const place = newChannel();
    server.say({ ...place, text: "nobody is meant" });
    const { event } = server.say({ ...place, text: "<@UBOT> what is up" });
    await until(() => texts(place).length === 1);
    expect(server.shown.at(-1)).toMatchObject({ text: "You said: what is up", thread: event.ts });
    server.say({ ...place, text: "and then", thread_ts: event.ts, parent_user_id: "UANN" });
    await until(() => texts(place).length === 2);
    expect(server.shown.at(-1)).toMatchObject({ text: "You said: and then", thread: event.ts });
    server.say({ ...place, text: "somebody else's", thread_ts: "1699999999.1", parent_user_id: "UBOB" });
    server.say({ ...place, text: "and last", thread_ts: event.ts, parent_user_id: "UANN" });
    await until(() => texts(place).length === 3);
    expect(server.shown.at(-1)).toMatchObject({ text: "You said: and last", thread: event.ts });
  });

  it("make one run, though they come twice, and as a mention besides", async () => {
    const place = newChannel();
    const before = (await kit.runs()).length;
    const { event } = server.say({ ...place, text: "<@UBOT> once" });
    server.emit(event);
    server.emit({ ...event, type: "app_mention" });
    const last = newDirect();
    server.say({ ...last, text: "after it" });
    await until(() => texts(last).length === 1 && texts(place).length === 1);
    expect((await kit.runs()).length).toBe(before + 2);
  });

  it("that are edited are an event of their own; a preview is none", async () => {
    const place = newDirect();
    const { event } = server.say({ ...place, text: "first" });
    await until(() => texts(place).length === 1);
    const previous_message = { text: "first" };
    const message = { user: "UANN", ts: event.ts, text: "first", attachments: [{ title: "a preview" }] };
    const change = { type: "message", subtype: "message_changed", ...place, previous_message };
    server.emit({ ...change, message });
    server.emit({ ...change, message: { ...message, text: "second", edited: { user: "UANN", ts: "1700009999.1" } } });
    await until(async () => (await kit.status("work")).lastOutcome === "unbound");
    expect(texts(place)).toEqual(["You said: first"]);
  });

  it("with files bring them along; the token goes to Slack alone", async () => {
    const place = newDirect();
    const url = server.addFile("notes", Buffer.from("notes content"));
    const elsewhere = url.replace("127.0.0.1", "localhost");
    const files = [
      { id: "F1", name: "notes.txt", mimetype: "text/plain", size: 13, url_private_download: url },
      { id: "F2", name: "link.doc", mimetype: "text/plain", size: 13, url_private_download: elsewhere },
      { id: "F3", name: "huge.bin", mimetype: "text/plain", size: 2_000_000, url_private_download: url },
    ];
    server.say({ ...place, subtype: "file_share", text: "files", files });
    await until(() => texts(place).length === 1);
    expect(texts(place)[0]).toBe(
      "files\n[The file link.doc was not passed on. It is not kept by Slack itself.]\n[The file huge.bin was not passed on. It has more than 1 MB.] | notes.txt=notes content",
    );
    expect(server.fileTokens).toEqual([`Bearer ${TOKENS.bot}`]);
  });
});

describe("answers on Slack", () => {
  it("are shown as they grow, in one message", async () => {
    const place = newDirect();
    server.say({ ...place, text: "stream" });
    await until(() => texts(place)[0] === "one two three");
    expect(texts(place)).toHaveLength(1);
    expect(server.shown.at(-1)?.edits).toBeGreaterThan(0);
  });

  it("that are long come in parts, and call nobody", async () => {
    const place = newDirect();
    server.say({ ...place, text: "long 9000" });
    await until(() => texts(place).length === 3);
    server.say({ ...place, text: "&lt;!channel&gt;" });
    await until(() => texts(place).length === 4);
    expect(texts(place)[3]).toBe("You said: &lt;!channel&gt;");
  });

  it("bring the files of the run", async () => {
    const place = newDirect();
    server.say({ ...place, text: "picture" });
    await until(() => server.sentFiles.length === 2);
    expect(server.sentFiles.map(({ name, channel }) => [name, channel])).toEqual([
      ["pixel.png", place.channel],
      ["table.csv", place.channel],
    ]);
    expect(server.sentFiles[1]?.bytes.toString()).toBe("a,b\n1,2\n");
  });

  it("wait as long as Slack demands, and are not lost", async () => {
    const place = newDirect();
    server.refuseNext("chat.postMessage", { status: 429, headers: { "retry-after": "1" } });
    server.refuseNext("chat.postMessage", { status: 503 });
    server.say({ ...place, text: "patience" });
    await until(() => texts(place).length === 1);
    expect(texts(place)).toEqual(["You said: patience"]);
  });
});

describe("a source of Slack", () => {
  it("connects again where Slack recycles the connection, and where it was down", async () => {
    const place = newDirect();
    server.recycle();
    await until(() => server.connections() === 1);
    await until(() => server.calls.filter(({ method }) => method === "apps.connections.open").length >= 2);
    await until(() => server.connections() === 1);
    server.say({ ...place, text: "recycled" });
    await until(() => texts(place).length === 1);
    await server.goDown();
    await until(async () => (await kit.status("work")).problem?.startsWith("Slack does not answer") ?? false);
    await server.comeBack();
    await until(() => server.connections() === 1);
    await until(async () => (await kit.status("work")).problem === null);
    server.say({ ...place, text: "again" });
    await until(() => texts(place).length === 2);
  });

  it("outlives frames that make no sense", async () => {
    const place = newDirect();
    const opened = () => server.calls.filter(({ method }) => method === "apps.connections.open").length;
    const before = opened();
    for (const frame of ["{", "null", '{"type":"events_api","envelope_id":"1"}', '{"type":"events_api","payload":{}}'])
      server.garble(frame);
    await until(() => opened() > before && server.connections() === 1);
    server.garble('{"type":"events_api","envelope_id":"2","payload":{"event":{"type":"message"}}}');
    await until(() => server.acknowledged.includes("2"));
    server.say({ ...place, text: "still there" });
    await until(() => texts(place).length === 1);
  });

  it("refuses channels that are not allowed, on record", async () => {
    const [known, stranger] = [newDirect(), newDirect()];
    await kit.dock.host.sources.change("work", { settings: { chats: [known.channel] } });
    await until(async () => (await kit.status("work")).state === "running" && server.connections() === 1);
    server.say({ ...stranger, user: "UEVE", text: "let me in" });
    server.say({ ...known, text: "hello" });
    await until(() => texts(known).length === 1);
    expect(texts(stranger)).toEqual([]);
    expect(await kit.warnings()).toContainEqual(expect.stringContaining(`the chat ${stranger.channel}`));
  });

  it("with a wrong token of either kind is a status with a hint", async () => {
    await kit.dock.extensions.secrets.set("WRONG_TOKEN", "xoxb-wrong-slack-token-CCCCCCCCC");
    const settings = { api_root: server.apiRoot };
    for (const field of ["bot_token", "app_token"]) {
      const secrets = { ...SECRETS, [field]: "WRONG_TOKEN" };
      await kit.add({ name: "bad", type: "slack", settings, secrets });
      await until(async () => (await kit.status("bad")).state === "failed");
      expect(await kit.status("bad")).toMatchObject({
        ...{ problem: "Slack refused it: invalid_auth.", retryAt: null },
        hint: expect.stringContaining("api.slack.com/apps"),
      });
      expect(await kit.dock.host.sources.test("bad")).toMatchObject({ ok: false });
      await kit.dock.host.sources.remove("bad");
    }
    expect(await kit.dock.host.sources.test("work")).toMatchObject({ ok: true });
  });

  it("leaves its tokens in no record", async () => {
    for (const token of Object.values(TOKENS)) expect(await findInHome(kit.home, token)).toEqual([]);
  });
});
