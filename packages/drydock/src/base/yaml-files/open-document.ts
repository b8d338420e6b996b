import type { Document } from "yaml";

/** A document whose keys can be set and removed; comments and all other keys stay. */
export async function openDocument(text: string): Promise<Document> {
  const yaml = await import("yaml");
  const parsed = yaml.parseDocument(text, { version: "1.2" });
  if (yaml.isMap(parsed.contents)) return parsed;
  // A file of comments alone has nothing that could be changed: they go before what is written.
  const document = new yaml.Document({});
  document.commentBefore = parsed.commentBefore ?? parsed.comment;
  return document;
}
