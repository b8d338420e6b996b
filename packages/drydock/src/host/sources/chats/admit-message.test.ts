import { describe, expect, it } from "vitest";
import { admitMessage, createRefusals } from "./admit-message.ts";

const place = (isDirect: boolean, ...names: string[]) => ({
  chat: { id: names[0] ?? "1", name: null, thread: null, isDirect, workspace: null, names },
  isAddressed: isDirect,
});

describe("who is answered", () => {
  it("is nobody, as long as the settings name no chat", () => {
    expect(admitMessage(place(true, "1"), { chats: [], mention: false })).toBe("refused");
  });

  it("is who the settings name, by any of the names of the chat, and as it is written", () => {
    expect(admitMessage(place(true, "1", "@ann"), { chats: ["@ann"], mention: true })).toBe("taken");
    expect(admitMessage(place(true, "1", "@ann"), { chats: ["@an", "11", "@Ann"], mention: true })).toBe("refused");
    expect(admitMessage(place(true, "1"), { chats: ["*"], mention: true })).toBe("taken");
  });

  it("is in a group who speaks to the bot, unless the settings want all", () => {
    const group = place(false, "-5");
    expect(admitMessage(group, { chats: ["-5"], mention: true })).toBe("ignored");
    expect(admitMessage({ ...group, isAddressed: true }, { chats: ["-5"], mention: true })).toBe("taken");
    expect(admitMessage(group, { chats: ["-5"], mention: false })).toBe("taken");
    expect(admitMessage({ ...group, isAddressed: true }, { chats: [], mention: true })).toBe("refused");
  });
});

describe("refusals", () => {
  it("are told once an hour for each chat, with the number of those between", () => {
    let now = 0;
    const refusals = createRefusals(() => now);
    expect(refusals.note("a")).toEqual({ untold: 0 });
    expect([refusals.note("a"), refusals.note("a"), refusals.note("b")]).toEqual([null, null, { untold: 0 }]);
    now = 3_600_000;
    expect(refusals.note("a")).toEqual({ untold: 2 });
  });

  it("keep a bounded number of chats in mind, however many strangers come", () => {
    const refusals = createRefusals(() => 0);
    for (let chat = 0; chat < 5000; chat++) expect(refusals.note(String(chat))).not.toBeNull();
    expect(refusals.note("4999")).toBeNull();
    expect(refusals.note("0")).not.toBeNull();
  });
});
