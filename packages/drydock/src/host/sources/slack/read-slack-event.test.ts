import { describe, expect, it } from "vitest";
import { readSlackEvent } from "./read-slack-event.ts";
import { readSlackText, writeSlackText } from "./slack-text.ts";

const BOT = { userId: "UBOT" };

function read(event: Record<string, unknown>, threads = true) {
  const whole = {
    type: "message",
    channel: "C1",
    channel_type: "channel",
    user: "UANN",
    ts: "5.1",
    text: "a",
    ...event,
  };
  return readSlackEvent({ team_id: "T1", event: whole }, BOT, { threads });
}

describe("a message of Slack", () => {
  it("stands in a thread of its own in a channel, and in none in a direct message", () => {
    expect(read({})).toMatchObject({ chat: { thread: "5.1", workspace: "T1" }, target: { thread_ts: "5.1" } });
    expect(read({ thread_ts: "4.1" })?.chat.thread).toBe("4.1");
    expect(read({}, false)).toMatchObject({ chat: { thread: null }, target: { thread_ts: null } });
    expect(read({ channel_type: "im" })).toMatchObject({ chat: { thread: null, names: ["C1", "UANN"] } });
  });

  it.each([
    ["a bot's", { bot_id: "B1" }],
    ["the app's own", { user: "UBOT" }],
    ["that somebody has joined", { subtype: "channel_join" }],
    ["that something was deleted", { subtype: "message_deleted", user: undefined }],
    ["another event", { type: "reaction_added" }],
    ["something without a channel", { channel: undefined }],
  ])("is none where it is %s", (_what, event) => {
    expect(read(event)).toBeNull();
  });

  it("loses the name of the app before and behind its words only", () => {
    const text = "<@UBOT> <@UBOT> ask <@UBOT> about <@UBOB> <@UBOT>";
    expect(read({ text })).toMatchObject({ isAddressed: true, text: "ask <@UBOT> about <@UBOB>" });
    expect(read({ text: "<@UBOT2> hi" })).toMatchObject({ isAddressed: false });
  });

  it("has one id, as a message and as a mention, and another for each edit", () => {
    expect(read({ type: "app_mention" })?.id).toBe(read({})?.id);
    const message = { user: "UANN", ts: "5.1", text: "b", edited: { ts: "6.1" } };
    const edit = read({ subtype: "message_changed", message, previous_message: { text: "a" } });
    expect(edit).toMatchObject({ type: "message.edited", id: "5.1:6.1", text: "b" });
    expect(read({ subtype: "message_changed", message: { ...message, edited: undefined } })).toBeNull();
    expect(read({ subtype: "message_changed", message, previous_message: { text: "b" } })).toBeNull();
  });
});

describe("the text of Slack", () => {
  it.each([
    ["<https://a.test|a link> &amp; <https://b.test>", "a link (https://a.test) & https://b.test"],
    ["<#C1|general> <!here> <!subteam^S1|@team>", "#general @here @team"],
    ["1 &lt; 2 &amp;lt;", "1 < 2 &lt;"],
  ])("%j is read as people see it", (text, words) => {
    expect(readSlackText(text)).toBe(words);
  });

  it("that an agent writes calls nobody, and makes no link under another name", () => {
    for (const words of ["<!channel>", "<@UANN>", "<https://evil.test|https://bank.test>", "&lt;!here&gt;"]) {
      const written = writeSlackText(words);
      expect(written).not.toMatch(/[<>]/);
      expect(readSlackText(written)).toBe(words);
    }
  });
});
