import { DrydockError } from "@drydock/protocol";
import type { AttachedFile } from "../../../tasks/index.ts";

/** One part of a message's content, of whatever kind. */
export type ContentPart = { type: string; text?: string } & Record<string, unknown>;

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,([A-Za-z0-9+/=\s]*)$/;
const PICTURE_ENDINGS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
};

/**
 * A file or picture of a message; null for a part that is neither. Its content must be in the request: the server
 * fetches nothing.
 */
export function readAttachment(part: ContentPart, number: number): AttachedFile | null {
  switch (part.type) {
    case "file": {
      const { filename, file_data } = Object(part.file) as Record<string, unknown>;
      return readFile(filename, file_data, number);
    }
    case "input_file":
      return readFile(part.filename, part.file_data, number);
    case "image_url":
      return readPicture((Object(part.image_url) as Record<string, unknown>).url, number);
    case "input_image":
      return readPicture(part.image_url, number);
    default:
      return null;
  }
}

function readFile(name: unknown, data: unknown, number: number): AttachedFile {
  const { content } = readData(data);
  return { name: typeof name === "string" && name !== "" ? name : `file-${number}`, content, encoding: "base64" };
}

function readPicture(url: unknown, number: number): AttachedFile {
  const { mime, content } = readData(url);
  return { name: `picture-${number}.${PICTURE_ENDINGS[mime] ?? "bin"}`, content, encoding: "base64" };
}

function readData(data: unknown): { mime: string; content: string } {
  const match = typeof data === "string" ? DATA_URL.exec(data) : null;
  if (match) return { mime: match[1] ?? "", content: match[2] ?? "" };
  throw new DrydockError(
    "input.invalid",
    "The content of a file is missing.",
    "Send it as a data URL with base64: `data:text/csv;base64,…`. The server fetches no addresses and keeps no uploads.",
  );
}
