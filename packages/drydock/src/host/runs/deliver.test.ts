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
