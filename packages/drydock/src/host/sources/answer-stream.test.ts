import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { eventually } from "../../base/testing/eventually.ts";
import type { SourceDelivery } from "./adapter.ts";
import { createAnswerStream } from "./answer-stream.ts";

function open({ canEdit = true, maxMessageChars = 100 as number | null } = {}) {
  const said: string[] = [];
  const signal = new AbortController().signal;
  const stream = createAnswerStream({
    ...{ source: "bot", target: { chat: 1 }, runId: "run_1", signal },
    answers: { maxMessageChars, editEveryMs: 20 },
    adapter: () => ({
      async deliver({ text, files, isComplete }) {
        said.push(`new: ${text}${isComplete ? "." : "…"}${files.length > 0 ? ` +${files.length}` : ""}`);
        return said.length;
      },
      async edit(sent, { text, isComplete }) {
        if (!canEdit) throw new Error("too late to change it");
        said.push(`${sent}: ${text}${isComplete ? "." : "…"}`);
      },
      async stop() {},
    }),
  });
  const whole = (text: string, files: SourceDelivery["files"] = []): SourceDelivery => ({
    ...{ target: { chat: 1 }, runId: "run_1", signal, text, files, isComplete: true },
    message: { role: "assistant", content: text },
  });
  return { said, stream, whole };
}
const FILE = { artifactId: "art_1", name: "a.txt", mime: "text/plain", size: 1, read: async () => Buffer.from("a") };

it("shows an answer while it is written, and puts the whole one in its place; the next message is a new one", async () => {
  const { said, stream, whole } = open();
  stream.write("One ");
  expect(await eventually(() => said.length === 1)).toBe(true);
  stream.write("two ");
  expect(await eventually(() => said.length === 2)).toBe(true);
  await stream.finish(whole("One two three", [FILE]));
  await stream.finish(whole("More"));
  expect(said).toEqual(["new: One …", "1: One two …", "1: One two three.", "new: . +1", "new: More."]);
});

it("sends an answer once where nothing of it was shown, and where it was ready before", async () => {
  const { said, stream, whole } = open();
  stream.write("Quick");
  await stream.finish(whole("Quick", [FILE]));
  await stream.close();
  expect(said).toEqual(["new: Quick. +1"]);
});

it("an answer is not lost where its beginning can't be changed any more", async () => {
  const { said, stream, whole } = open({ canEdit: false });
  stream.write("Begin");
  expect(await eventually(() => said.length === 1)).toBe(true);
  await stream.finish(whole("Begin and end"));
  expect(said).toEqual(["new: Begin…", "new: Begin and end."]);
});

it("shows no more than one message holds, and what was shown of a run that ends without a message is complete", async () => {
  const { said, stream } = open({ maxMessageChars: 4 });
  stream.write("abc😀def");
  expect(await eventually(() => said.length === 1)).toBe(true);
  await stream.close();
  stream.write("late");
  await sleep(50);
  expect(said).toEqual(["new: abc…", "1: abc."]);
});
