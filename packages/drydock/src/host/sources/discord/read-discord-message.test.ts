import { describe, expect, it } from "vitest";
import { readDiscordMessage, toDiscordMessage } from "./read-discord-message.ts";

const BOT = { id: "900" };
const HARBOUR = { name: "harbour", parent: null };
const DOCK = { id: "900", username: "dock" };

function read(message: Record<string, unknown>, channel: { name: string | null; parent: string | null } = HARBOUR) {
  const author = { id: "77", username: "ann", global_name: null };
  const timestamp = "2026-11-18T12:00:00.000Z";
  const whole = { id: "5", channel_id: "30", guild_id: "700", content: "a", type: 0, author, timestamp, ...message };
  const found = toDiscordMessage(whole);
  return found && readDiscordMessage(found, channel, BOT);
}

describe("a message of Discord", () => {
  it.each([
    ["<@900> hi", "hi"],
    ["<@!900> <@900> hi", "hi"],
    ["hi <@900>", "hi"],
    ["ask <@900> about <@77>", "ask @dock about @ann"],
    ["<@900>1", "1"],
  ])("%j speaks to the bot", (content, text) => {
    const mentions = [DOCK, { id: "77", username: "ann" }];
    expect(read({ content, mentions })).toMatchObject({ isAddressed: true, text });
  });

  it("speaks to the bot as an answer to it, and in a direct message, and not by words that look like its name", () => {
    expect(read({ type: 19, referenced_message: { author: DOCK } })?.isAddressed).toBe(true);
    expect(read({ guild_id: undefined })).toMatchObject({ isAddressed: true, chat: { isDirect: true } });
    // Discord says who is meant: words in a block of code are not.
    expect(read({ content: "`<@900>`", mentions: [] })?.isAddressed).toBe(false);
  });

  it("of a thread belongs to the channel of the thread, and can be allowed by either, or by the server", () => {
    const message = read({ channel_id: "31" }, { name: "details", parent: "30" });
    expect(message).toMatchObject({ chat: { id: "30", thread: "31", names: ["30", "31", "700"] } });
    expect(message?.target).toMatchObject({ channel_id: "31" });
  });

  it.each([
    ["of a bot", { author: { id: "8", username: "other", bot: true } }],
    ["of a webhook", { webhook_id: "9" }],
    ["of Discord itself", { type: 7 }],
    ["without an author", { author: undefined }],
  ])("is none where it is one %s", (_what, message) => {
    expect(read(message)).toBeNull();
  });

  it.each([
    ["nothing", null],
    ["a list", []],
    ["a number", { content: 5 }],
    ["an author without an id", { author: {} }],
    ["mentions that are none", { mentions: [null] }],
    ["a time that is none", { timestamp: "soon" }],
    ["files without names", { attachments: [{}] }],
  ])("is none where it is %s", (_what, odd) => {
    expect(odd === null || Array.isArray(odd) ? toDiscordMessage(odd) : read(odd)).toBeNull();
  });

  it("that is edited has another id each time", () => {
    const edited_timestamp = "2026-11-18T12:01:00.000Z";
    expect(read({ edited_timestamp })).toMatchObject({ type: "message.edited", id: `5:${edited_timestamp}` });
    expect(read({ edited_timestamp: null })).toMatchObject({ type: "message.received", id: "5" });
  });
});
