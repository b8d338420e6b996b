import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { findInHome } from "./testing/find-in-home.ts";
import { openSourceDock } from "./testing/open-source-dock.ts";
import { startDiscordServer } from "./testing/start-discord-server.ts";

const TOKEN = "MTIz.discord-test.token-AAAAAAAAAAAAAAAAAA";
const BOT = { id: "900", username: "dock" };
const kit = openSourceDock();
let server: Awaited<ReturnType<typeof startDiscordServer>>;
let places = 5000;

const newDirect = () => ({ channel_id: String(places++) });
const newChannel = (facts: Record<string, unknown> = { type: 0, name: "harbour" }) => {
  const channel_id = String(places++);
  server.channels.set(channel_id, facts);
  return { channel_id, guild_id: "700" };
};
const texts = ({ channel_id }: { channel_id: string }) => server.textsOf(channel_id);
const until = async (condition: () => boolean | Promise<boolean>) => expect(await eventually(condition)).toBe(true);

beforeAll(async () => {
  server = await startDiscordServer(TOKEN);
  await kit.dock.extensions.secrets.set("DISCORD_TOKEN", TOKEN);
  const settings = { chats: ["*"], max_file_mb: 1, api_root: server.apiRoot };
  const status = await kit.add({ name: "guild", type: "discord", settings, secrets: { token: "DISCORD_TOKEN" } });
  expect(status).toMatchObject({ state: "running", problem: null });
  await until(() => server.connections() === 1);
});
afterAll(() => server.close());

describe("messages of Discord", () => {
  it("are answered in a direct message, as an answer to it, and call nobody", async () => {
    const place = newDirect();
    const { id } = server.say({ ...place, content: "hello @everyone" });
    await until(() => texts(place).length === 1);
    expect(server.shown.at(-1)).toMatchObject({
      ...{ content: "You said: hello @everyone", answers: id },
      allowedMentions: { parse: [] },
    });
  });

  it("of a channel are taken where they name the bot or answer it; a thread has its own conversation", async () => {
    const place = newChannel();
    server.say({ ...place, content: "nobody is meant" });
    server.say({ ...place, content: "<@900> what is up", mentions: [BOT] });
    await until(() => texts(place).length === 1);
    expect(texts(place)).toEqual(["You said: what is up"]);
    const thread = newChannel({ type: 11, name: "details", parent_id: place.channel_id });
    server.say({ ...thread, content: "and then", type: 19, referenced_message: { author: BOT } });
    await until(() => texts(thread).length === 1);
    server.say({ ...place, content: "nobody is meant here" });
    server.say({ ...thread, content: "in a thread that it has joined" });
    await until(() => texts(thread).length === 2);
    expect(texts(place)).toHaveLength(1);
    const [run] = await kit.runs();
    const [created] = await kit.dock.host.runs.events(run?.id ?? "");
    expect(created?.data).toMatchObject({
      request: { event: { conversation: { conversation_id: place.channel_id, thread_id: thread.channel_id } } },
    });
  });

  it("make one run, though they come twice", async () => {
    const place = newDirect();
    const before = (await kit.runs()).length;
    const message = server.say({ ...place, content: "once" });
    server.emit("MESSAGE_CREATE", message);
    const last = newDirect();
    server.say({ ...last, content: "after it" });
    await until(() => texts(last).length === 1 && texts(place).length === 1);
    expect((await kit.runs()).length).toBe(before + 2);
  });

  it("that are edited are an event of their own; a preview is none", async () => {
    const place = newDirect();
    const message = server.say({ ...place, content: "first" });
    await until(() => texts(place).length === 1);
    server.emit("MESSAGE_UPDATE", { ...message, embeds: [{ title: "a preview" }] });
    const edited_timestamp = "2026-11-18T12:01:00.000000+00:00";
    server.emit("MESSAGE_UPDATE", { ...message, content: "second", edited_timestamp });
    await until(async () => (await kit.status("guild")).lastOutcome === "unbound");
    expect(texts(place)).toEqual(["You said: first"]);
  });

  it("with files bring them along, and say which are too large", async () => {
    const place = newDirect();
    const url = server.addFile("notes", Buffer.from("notes content"));
    const attachments = [
      { id: "1", filename: "notes.txt", size: 13, url, content_type: "text/plain" },
      { id: "2", filename: "huge.bin", size: 2_000_000, url, content_type: "text/plain" },
    ];
    server.say({ ...place, content: "files", attachments });
    await until(() => texts(place).length === 1);
    expect(texts(place)[0]).toBe(
      "files\n[The file huge.bin was not passed on. It has more than 1 MB.] | notes.txt=notes content",
    );
  });
});

describe("answers on Discord", () => {
  it("are shown as they grow, in one message", async () => {
    const place = newDirect();
    server.say({ ...place, content: "stream" });
    await until(() => texts(place)[0] === "one two three");
    expect(texts(place)).toHaveLength(1);
    expect(server.shown.at(-1)?.edits).toBeGreaterThan(0);
  });

  it("that are long come in parts", async () => {
    const place = newDirect();
    server.say({ ...place, content: "long 5000" });
    await until(() => texts(place).length === 3);
  });

  it("bring the files of the run", async () => {
    const place = newDirect();
    server.say({ ...place, content: "picture" });
    await until(() => server.sentFiles.length === 2);
    expect(server.sentFiles.map(({ name }) => name)).toEqual(["pixel.png", "table.csv"]);
    expect(server.sentFiles[1]?.bytes.toString()).toBe("a,b\n1,2\n");
  });

  it("wait as long as Discord demands, and are not lost", async () => {
    const place = newDirect();
    const limited = { status: 429, headers: { "retry-after": "1" }, json: { message: "limited", retry_after: 1 } };
    server.refuseNext(/POST .*messages/, limited);
    server.refuseNext(/POST .*messages/, { status: 502 });
    server.say({ ...place, content: "patience" });
    await until(() => texts(place).length === 1);
    expect(texts(place)).toEqual(["You said: patience"]);
  });
});

describe("a source of Discord", () => {
  it("goes on with its session where the connection broke: nothing is lost", async () => {
    const place = newDirect();
    server.drop();
    await until(() => server.connections() === 0);
    server.say({ ...place, content: "in between" });
    await until(() => texts(place).length === 1);
    expect(server.gatewayEvents).toEqual(["identify", "resume"]);
  });

  it("goes on where Discord was down, and says so meanwhile", async () => {
    const place = newDirect();
    await server.goDown();
    await until(async () => (await kit.status("guild")).problem?.startsWith("Discord does not answer") ?? false);
    await server.comeBack();
    await until(async () => (await kit.status("guild")).problem === null);
    server.say({ ...place, content: "again" });
    await until(() => texts(place).length === 1);
  });

  it("goes on with its session after a restart: what came meanwhile is answered", async () => {
    const place = newDirect();
    const resumed = server.gatewayEvents.filter((event) => event === "resume").length;
    const reopened = kit.reopen();
    await until(() => server.connections() === 0);
    server.say({ ...place, content: "meanwhile" });
    await reopened;
    await until(() => texts(place).length === 1);
    expect(server.gatewayEvents.filter((event) => event === "resume").length).toBe(resumed + 1);
  });

  it("outlives a message that nobody can read, and a session that leads nowhere, at which the library throws", async () => {
    const answered = async () => {
      const place = newDirect();
      server.say({ ...place, content: "still there" });
      await until(() => texts(place).length === 1);
    };
    const warned = async () => (await kit.warnings()).some((each) => each.includes("a message that can't be read"));
    server.emit("MESSAGE_CREATE", { id: 5, author: { id: [] } });
    await until(warned);
    await answered();
    const identified = () => server.gatewayEvents.filter((event) => event === "identify").length;
    const before = identified();
    server.sendFrame({ op: 0, t: "READY", s: 1, d: { session_id: "lost", resume_gateway_url: "nowhere" } });
    server.drop();
    const problem = async () => (await kit.status("guild")).problem;
    await until(async () => (await problem())?.startsWith("Discord sent what can't be read") ?? false);
    await until(() => identified() === before + 1 && server.connections() === 1);
    await answered();
  });

  it("refuses channels that are not allowed, on record", async () => {
    const [known, stranger] = [newDirect(), newChannel()];
    await kit.dock.host.sources.change("guild", { settings: { chats: [known.channel_id] } });
    await until(async () => (await kit.status("guild")).state === "running" && server.connections() === 1);
    server.say({ ...stranger, content: "<@900> let me in", mentions: [BOT] });
    server.say({ ...known, content: "hello" });
    await until(() => texts(known).length === 1);
    expect(texts(stranger)).toEqual([]);
    expect(await kit.warnings()).toContainEqual(expect.stringContaining(`the chat ${stranger.channel_id}`));
  });

  it("with a wrong token, or without leave to read messages, is a status with a hint", async () => {
    const settings = { api_root: server.apiRoot };
    await kit.dock.extensions.secrets.set("WRONG_TOKEN", "wrong-token-of-discord-BBBBBBBBBBBB");
    const status = await kit.add({ name: "bad", type: "discord", settings, secrets: { token: "WRONG_TOKEN" } });
    expect(status).toMatchObject({
      ...{ state: "failed", retryAt: null, problem: "Discord refused it: 401: Unauthorized (401)." },
      hint: expect.stringContaining("discord.com/developers"),
    });
    await kit.dock.host.sources.remove("bad");
    server.closeNextWith(4014);
    await kit.add({ name: "blind", type: "discord", settings, secrets: { token: "DISCORD_TOKEN" } });
    await until(async () => (await kit.status("blind")).state === "failed");
    expect((await kit.status("blind")).hint).toContain("Message Content Intent");
    expect(await kit.dock.host.sources.test("blind")).toMatchObject({ ok: true });
    await kit.dock.host.sources.remove("blind");
  });

  it("leaves its token in no record", async () => {
    expect(await findInHome(kit.home, TOKEN)).toEqual([]);
  });
});
