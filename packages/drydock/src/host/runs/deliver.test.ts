import { expect, it } from "vitest";
import { splitMessage } from "./deliver.ts";
import { storeInline } from "./inline-contents.ts";

it("a message that is too long goes in parts, whole characters each, and nothing is lost", () => {
  const parts = splitMessage({ role: "assistant", content: "abc😀def" }, 4).map(({ content }) => content);
  expect(parts).toEqual(["abc", "😀de", "f"]);
  const picture = { type: "file" as const, artifact_id: "art_1" };
  const [first, second] = splitMessage({ role: "assistant", content: [{ type: "text", text: "abcd" }, picture] }, 2);
  expect(first?.content).toEqual([picture, { type: "text", text: "ab" }]);
  expect(second?.content).toBe("cd");
  expect(splitMessage({ role: "assistant", content: "abc" }, 3)).toHaveLength(1);
});

it("a part ends with a line, else with a word, where one ends in its second half", () => {
  const split = (text: string, max: number) =>
    splitMessage({ role: "assistant", content: text }, max).map(({ content }) => content);
  expect(split("one two\nthree four", 12)).toEqual(["one two\n", "three four"]);
  expect(split("one two three", 9)).toEqual(["one two ", "three"]);
  expect(split("a bcdefghij", 8)).toEqual(["a bcdefg", "hij"]);
  const text = Array.from({ length: 400 }, (_, index) => `${index}${index % 7 === 0 ? "\n" : " "}`).join("");
  for (const max of [1, 2, 7, 100]) {
    expect(split(text, max).join("")).toBe(text);
    expect(split(text, max).every((part) => String(part).length <= max)).toBe(true);
  }
});

it("a picture that a message carries itself becomes an artifact", async () => {
  const kept: [string, string][] = [];
  const record = {
    storeArtifact: async (content: Buffer, { mime }: { mime: string }) => {
      kept.push([content.toString(), mime]);
      return "art_1";
    },
  };
  const url = `data:image/png;base64,${Buffer.from("png").toString("base64")}`;
  const address = { type: "image_url" as const, image_url: { url: "https://example.org/a.png" } };
  const { message, stored } = await storeInline(record, {
    role: "assistant",
    content: [{ type: "image_url", image_url: { url } }, address],
  });
  expect(kept).toEqual([["png", "image/png"]]);
  expect(message.content).toEqual([{ type: "file", artifact_id: "art_1", name: "picture-1" }, address]);
  expect(stored).toMatchObject([{ artifact_id: "art_1", size_bytes: 3 }]);
  expect(JSON.stringify([message, stored])).not.toContain("base64");
});
