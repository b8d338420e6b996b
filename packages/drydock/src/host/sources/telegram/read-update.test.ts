import { describe, expect, it } from "vitest";
import { joinAlbums, readUpdate } from "./read-update.ts";
import { toUpdate } from "./telegram-update.ts";

const BOT = { id: 7, username: "Dock_Bot" };
const ANN = { id: 77, is_bot: false, first_name: "Ann" };
const GROUP = { id: -5, type: "supergroup", title: "Harbour" };

/** A message of a group, as an update. */
function read(message: Record<string, unknown>, kind = "message") {
  const update = { update_id: 3, [kind]: { message_id: 11, date: 1, chat: GROUP, from: ANN, ...message } };
  const found = toUpdate(update);
  return found && readUpdate(found, BOT);
}

describe("a message of a group", () => {
  it.each([
    ["@dock_bot hi", [{ type: "mention", offset: 0, length: 9 }], "hi"],
    ["hi @DOCK_BOT", [{ type: "mention", offset: 3, length: 9 }], "hi"],
    ["ask @dock_bot about it", [{ type: "mention", offset: 4, length: 9 }], "ask @dock_bot about it"],
    ["😀 @dock_bot", [{ type: "mention", offset: 3, length: 9 }], "😀"],
    ["/start@dock_bot now", [{ type: "bot_command", offset: 0, length: 15 }], "/start now"],
    ["Dock hi", [{ type: "text_mention", offset: 0, length: 4, user: { id: 7 } }], "hi"],
  ])("%j names the bot", (text, entities, words) => {
    expect(read({ text, entities })).toMatchObject({ isAddressed: true, text: words });
  });

  it.each([
    ["@dock_bot2 hi", [{ type: "mention", offset: 0, length: 10 }]],
    ["/start@other_bot", [{ type: "bot_command", offset: 0, length: 16 }]],
    ["/start", [{ type: "bot_command", offset: 0, length: 6 }]],
    ["@dock_bot without an entity, as in a quotation", []],
  ])("%j does not", (text, entities) => {
    expect(read({ text, entities })).toMatchObject({ isAddressed: false, text });
  });

  it("belongs to a topic in a forum only: a thread of answers is none", () => {
    expect(read({ text: "a", message_thread_id: 4, is_topic_message: true })?.chat.thread).toBe("4");
    expect(read({ text: "a", message_thread_id: 4 })?.chat.thread).toBeNull();
  });

  it("of another bot, or of nobody, is none", () => {
    expect(read({ text: "a", from: { ...ANN, is_bot: true } })).toBeNull();
    expect(read({ text: "a", from: undefined })).toBeNull();
  });
});

describe("an edit", () => {
  it("has an id of its own each time, though two have the same time", () => {
    const [first, edit] = [read({ text: "a" }), read({ text: "b", edit_date: 2 }, "edited_message")];
    expect([first?.id, edit?.id]).toEqual(["11", "11:3"]);
    expect(edit).toMatchObject({ type: "message.edited", timeSeconds: 2 });
  });
});

describe("files", () => {
  it("are the largest picture, and an animation once", () => {
    const sizes = ["s", "m", "l"].map((id) => ({ file_id: id, file_unique_id: id, width: 1, height: 1 }));
    expect(read({ photo: sizes })?.files).toEqual([{ name: "l.jpg", mime: "image/jpeg", bytes: null, reference: "l" }]);
    const file = { file_id: "g", file_unique_id: "g", file_size: 9, mime_type: "video/mp4" };
    expect(read({ animation: file, document: file })?.files).toHaveLength(1);
  });

  it("of one album are one message, those of two are two", () => {
    const part = (id: string) => read({ photo: [{ file_id: id, file_unique_id: id }], media_group_id: id[0] });
    const messages = ["a1", "a2", "b1"].flatMap((id) => part(id) ?? []);
    expect(joinAlbums(messages).map(({ files }) => files.map(({ reference }) => reference))).toEqual([
      ["a1", "a2"],
      ["b1"],
    ]);
  });
});
