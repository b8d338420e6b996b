import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { findInHome } from "./testing/find-in-home.ts";
import { openSourceDock } from "./testing/open-source-dock.ts";
import { startTelegramServer } from "./testing/start-telegram-server.ts";

const TOKEN = "4242:AAtelegram-test-token-AAAAAAAAAAAAAAA";
const GROUP = { id: -100_200, type: "supergroup", title: "Harbour" };
const kit = openSourceDock();
let server: Awaited<ReturnType<typeof startTelegramServer>>;
let people = 500;

/** A direct chat with a person of its own. */
const newChat = () => ({ id: people++, type: "private", first_name: "Ann" });
const texts = (chat: { id: number }) => server.textsOf(chat.id);
const until = async (condition: () => boolean | Promise<boolean>) => expect(await eventually(condition)).toBe(true);

beforeAll(async () => {
  server = await startTelegramServer(TOKEN);
  await kit.dock.extensions.secrets.set("TELEGRAM_TOKEN", TOKEN);
  const settings = { chats: ["*"], max_file_mb: 1, api_root: server.root };
  const status = await kit.add({ name: "tg", type: "telegram", settings, secrets: { token: "TELEGRAM_TOKEN" } });
  expect(status).toMatchObject({ state: "running", problem: null });
});
afterAll(() => server.close());

describe("messages of Telegram", () => {
  it("are answered in a direct chat, as an answer to the message", async () => {
    const chat = newChat();
    server.say({ chat, message_id: 9001, text: "hello" });
    await until(() => texts(chat).length === 1);
    expect(server.shown.at(-1)).toMatchObject({ text: "You said: hello", thread: null, answers: 9001 });
    const [run] = await kit.runs();
    const [created] = await kit.dock.host.runs.events(run?.id ?? "");
    expect(created?.data).toMatchObject({
      request: {
        event: {
          ...{ type: "message.received", source: "platform" },
          conversation: { conversation_id: String(chat.id), bot_id: "tg", launcher_type: "person" },
          actor: { actor_type: "user", actor_id: String(chat.id), actor_name: "Ann Lee" },
        },
      },
    });
  });

  it("of a group are taken where they name the bot or answer it, in their topic", async () => {
    const words = "@dock_bot what is up";
    const entities = [{ type: "mention", offset: 0, length: 9 }];
    server.say({ chat: GROUP, text: "nobody is meant" });
    server.say({ chat: GROUP, text: words, entities, message_thread_id: 31, is_topic_message: true });
    await until(() => texts(GROUP).length === 1);
    expect(server.shown.at(-1)).toMatchObject({ text: "You said: what is up", thread: "31" });
    const before = { message_id: 1, date: 0, chat: GROUP, from: { id: 4242, is_bot: true, first_name: "Dock" } };
    server.say({ chat: GROUP, text: "and then", reply_to_message: before });
    server.say({ chat: GROUP, text: "/ask@dock_bot why", entities: [{ type: "bot_command", offset: 0, length: 13 }] });
    await until(() => texts(GROUP).length === 3);
    expect(texts(GROUP).slice(1)).toEqual(["You said: and then", "You said: /ask why"]);
  });

  it("make one run, however often they come", async () => {
    const chat = newChat();
    const before = (await kit.runs()).length;
    const update = server.say({ chat, text: "once" });
    server.repeat(update);
    await until(() => texts(chat).length === 1);
    server.repeat(update);
    const last = newChat();
    server.say({ chat: last, text: "after it" });
    await until(() => texts(last).length === 1);
    expect(texts(chat)).toEqual(["You said: once"]);
    expect((await kit.runs()).length).toBe(before + 2);
  });

  it("that are edited are an event of their own, which no agent gets without a binding", async () => {
    const chat = newChat();
    server.say({ chat, message_id: 9100, text: "first" });
    await until(() => texts(chat).length === 1);
    server.say({ chat, message_id: 9100, text: "second", edit_date: 1_700_000_100 }, "edited_message");
    await until(async () => (await kit.status("tg")).lastOutcome === "unbound");
    expect(texts(chat)).toEqual(["You said: first"]);
    const bound = await kit.dock.host.agents.bind({ agent: "chatty", event: "message.edited" });
    server.say({ chat, message_id: 9100, text: "third", edit_date: 1_700_000_200 }, "edited_message");
    await until(() => texts(chat).length === 2);
    expect(texts(chat)[1]).toBe("You said: third");
    await kit.dock.host.agents.unbind(bound.id);
  });

  it("with files bring them along, albums as one message, and say which are too large", async () => {
    const chat = newChat();
    server.addFile("small", Buffer.from("small content"));
    server.addFile("other", Buffer.from("other content"));
    server.addFile("huge", Buffer.alloc(1_200_000));
    const document = { file_id: "small", file_unique_id: "small", file_name: "notes.txt", mime_type: "text/plain" };
    server.say({ chat, caption: "files", document });
    await until(() => texts(chat).length === 1);
    expect(texts(chat)[0]).toBe("files | notes.txt=small content");
    const photo = (id: string) => [{ file_id: id, file_unique_id: id, width: 1, height: 1 }];
    server.sayAll([
      { chat, caption: "files of an album", media_group_id: "a1", photo: photo("small") },
      { chat, media_group_id: "a1", photo: photo("other") },
      { chat, media_group_id: "a1", photo: photo("huge") },
    ]);
    await until(() => texts(chat).length === 2);
    const note = "[The file huge.jpg was not passed on. It has more than 1 MB.]";
    expect(texts(chat)[1]).toBe(`files of an album\n${note} | small.jpg=small content other.jpg=other content`);
  });
});

describe("answers on Telegram", () => {
  it("are shown as they grow, in one message", async () => {
    const chat = newChat();
    server.say({ chat, text: "stream" });
    await until(() => texts(chat)[0] === "one");
    await until(() => texts(chat)[0] === "one two three");
    expect(texts(chat)).toHaveLength(1);
    expect(server.shown.at(-1)?.edits).toBeGreaterThan(0);
  });

  it("are sent anew where somebody has deleted what was shown of them", async () => {
    const chat = newChat();
    server.say({ chat, text: "stream" });
    await until(() => texts(chat).length === 1);
    server.shown.splice(0);
    await until(() => texts(chat)[0] === "one two three");
    expect(texts(chat)).toHaveLength(1);
  });

  it("that are long come in parts, without a loss", async () => {
    const chat = newChat();
    server.say({ chat, text: "long 9000" });
    await until(() => texts(chat).length === 3);
    const lines = texts(chat)
      .join("\n")
      .split("\n")
      .map((line) => Number.parseInt(line, 10));
    expect(new Set(lines.filter((line) => line >= 0)).size).toBe(180);
  });

  it("bring the files of the run, pictures as pictures", async () => {
    const chat = newChat();
    server.say({ chat, text: "picture" });
    await until(() => server.sentFiles.filter((file) => file.chat === String(chat.id)).length === 2);
    const sent = server.sentFiles.filter((file) => file.chat === String(chat.id));
    expect(sent.map(({ method, name }) => [method, name])).toEqual([
      ["sendPhoto", "pixel.png"],
      ["sendDocument", "table.csv"],
    ]);
    expect(sent[1]?.bytes.toString()).toBe("a,b\n1,2\n");
  });

  it("wait as long as Telegram demands, and are not lost", async () => {
    const chat = newChat();
    server.refuseNext("sendMessage", 429, "Too Many Requests: retry after 1", 1);
    server.refuseNext("sendMessage", 502, "Bad Gateway");
    server.say({ chat, text: "patience between the first and the last word" });
    await until(() => texts(chat).length === 1);
    expect(texts(chat)).toEqual(["You said: patience between the first and the last word"]);
  });

  it("reach a chat that the agent names, where its event came from elsewhere", async () => {
    const chat = newChat();
    const target = { source: "tg", chat_id: chat.id };
    const { agents } = kit.dock.host;
    await agents.add({
      ...{ name: "reporter", runner: "plugin:test/chatty/default" },
      delivery: { fallback: { surface: "telegram", target } },
    });
    await kit.dock.host.send({ type: "message.received", input: { text: "the report" } }, { agent: "reporter" });
    expect(texts(chat)).toEqual(["You said: the report"]);
    await agents.change("reporter", { delivery: { fallback: { surface: "telegram", target: { source: "tg" } } } });
    const lost = await kit.dock.host.send(
      { type: "message.received", input: { text: "the report" } },
      { agent: "reporter" },
    );
    const warning = "The message could not be delivered: The reply target names no chat of Telegram.";
    expect(lost).toMatchObject({ kind: "answered", ok: true, warnings: [warning] });
  });

  it("that a run could not give are said to be missing, without what went wrong", async () => {
    const chat = newChat();
    server.say({ chat, text: "fail" });
    await until(() => texts(chat).length === 1);
    expect(texts(chat)[0]).toMatch(/could not be answered/);
    expect(texts(chat)[0]).not.toContain("secret detail");
  });
});

describe("a source of Telegram", () => {
  it("says what to do where another program asks for the bot's updates, and goes on after it", async () => {
    server.refuseNext("getUpdates", 409, "Conflict: terminated by other getUpdates request");
    const chat = newChat();
    server.say({ chat, text: "woken" });
    await until(async () => (await kit.status("tg")).problem?.includes("End the other program") ?? false);
    const last = newChat();
    server.say({ chat: last, text: "alone again" });
    await until(() => texts(last).length === 1);
    expect(texts(chat)).toEqual(["You said: woken"]);
  });

  it("goes on where the server was down, and says so meanwhile", async () => {
    const chat = newChat();
    await server.goDown();
    await until(async () => (await kit.status("tg")).problem !== null);
    expect(await kit.status("tg")).toMatchObject({
      ...{ state: "running", problem: expect.stringContaining("Telegram does not answer") },
    });
    await server.comeBack();
    server.say({ chat, text: "again" });
    await until(() => texts(chat).length === 1);
    await until(async () => (await kit.status("tg")).problem === null);
  });

  it("refuses chats that are not allowed, on record, and says the configured sentence once", async () => {
    const [known, stranger] = [newChat(), newChat()];
    await kit.dock.host.sources.change("tg", {
      settings: { chats: [String(known.id)], refusal: "Ask Bob to let you in." },
    });
    await until(async () => (await kit.status("tg")).state === "running");
    const before = (await kit.runs()).length;
    server.say({ chat: stranger, text: "let me in" });
    server.say({ chat: stranger, text: "please" });
    server.say({ chat: known, text: "hello" });
    await until(() => texts(known).length === 1);
    expect(texts(stranger)).toEqual(["Ask Bob to let you in."]);
    expect((await kit.runs()).length).toBe(before + 1);
    await until(async () => (await kit.status("tg")).refused === 1);
    expect(await kit.warnings()).toContainEqual(expect.stringContaining(`the chat ${stranger.id}`));
    await kit.dock.host.sources.change("tg", { settings: { chats: ["*"], refusal: null } });
  });

  it("leaves out updates that nobody can read, and counts them", async () => {
    const chat = newChat();
    const before = (await kit.status("tg")).refused;
    server.sayOdd({ message: { message_id: 1, date: "now", chat: null } });
    server.say({ chat, text: "after it" });
    await until(() => texts(chat).length === 1);
    await until(async () => (await kit.status("tg")).refused === before + 1);
    expect((await kit.status("tg")).problem).toBeNull();
  });

  it("with a wrong token is a status with a hint, and is not tried again", async () => {
    const settings = { api_root: server.root };
    await kit.dock.extensions.secrets.set("WRONG_TOKEN", "1:wrong-token-of-telegram-BBBBBBBB");
    const status = await kit.add({ name: "bad", type: "telegram", settings, secrets: { token: "WRONG_TOKEN" } });
    expect(status).toMatchObject({ state: "failed", retryAt: null, hint: expect.stringContaining("@BotFather") });
    expect(status.problem).toBe("Telegram refused getMe: Unauthorized (401).");
    const test = await kit.dock.host.sources.test("bad");
    expect(test).toMatchObject({ ok: false, detail: status.problem, hint: status.hint });
    await kit.dock.extensions.secrets.set("WRONG_TOKEN", TOKEN);
    expect(await kit.dock.host.sources.test("bad")).toMatchObject({
      ok: true,
      detail: expect.stringContaining("@dock_bot"),
    });
    await kit.dock.host.sources.remove("bad");
  });

  it("answers after a restart what came meanwhile, once", async () => {
    const chat = newChat();
    server.say({ chat, text: "before" });
    await until(() => texts(chat).length === 1);
    const [, reopened] = [server.say({ chat, text: "in between" }), kit.reopen()];
    await reopened;
    await until(() => texts(chat).length === 2);
    expect(texts(chat)).toEqual(["You said: before", "You said: in between"]);
  });

  it("leaves its token in no record, no log and no error", async () => {
    expect(await findInHome(kit.home, "between the first and the last word")).not.toEqual([]);
    expect(await findInHome(kit.home, TOKEN)).toEqual([]);
    expect(JSON.stringify([await kit.status("tg"), await kit.warnings()])).not.toContain("AAtelegram");
  });
});
