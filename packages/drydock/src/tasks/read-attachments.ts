import { Buffer } from "node:buffer";
import { posix } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { AttachedFile } from "./task-options.ts";

/** What file systems allow for a part of a path, and what leaves room for the directory before it. */
const MAX_PART_BYTES = 255;
const MAX_NAME_BYTES = 1024;
const MAX_SHOWN_CHARS = 100;
/** Both alphabets; the padding may be missing. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Attachments as bytes under paths that stay within the work directory. */
export function readAttachments(
  files: readonly AttachedFile[],
  maxBytes: number,
): { name: string; bytes: Uint8Array }[] {
  // Programs that are not checked by a compiler call this as well.
  if (!Array.isArray(files) || files.some((file: unknown) => typeof file !== "object" || file === null)) {
    throw invalid("attachments: must be a list of files.", 'As in: [{ name: "data.csv", content: "x,y\\n1,2\\n" }]');
  }
  const seen = new Set<string>();
  const directories = new Set<string>();
  let total = 0;
  return files.map((file) => {
    const name = readName(file.name);
    if (seen.has(name)) throw invalid(`There are two attachments ${name}.`, "Give each its own name.");
    for (let above = posix.dirname(name); above !== "."; above = posix.dirname(above)) {
      directories.add(above);
      if (seen.has(above)) throw notBoth(above);
    }
    if (directories.has(name)) throw notBoth(name);
    seen.add(name);
    const bytes = readContent(name, file);
    total += bytes.length;
    if (total > maxBytes) {
      const hint = `Together they may have ${Math.floor(maxBytes / 1024 / 1024)} MB here. Put larger files into a directory, and name it as workspace.`;
      throw invalid(`The attachments are too large (${name}).`, hint);
    }
    return { name, bytes };
  });
}

function readName(given: unknown): string {
  if (typeof given !== "string") throw invalid("An attachment has no name.", "Give a path, such as data.csv.");
  const name = posix.normalize(given);
  const isInside = !posix.isAbsolute(name) && name !== "." && name !== ".." && !name.startsWith("../");
  const fits =
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    name.split("/").every((part) => Buffer.byteLength(part) <= MAX_PART_BYTES);
  if (given !== "" && isInside && fits && !name.endsWith("/") && !name.includes("\0") && name.isWellFormed()) {
    return name;
  }
  const shown = JSON.stringify(given.length > MAX_SHOWN_CHARS ? `${given.slice(0, MAX_SHOWN_CHARS)}…` : given);
  const hint = "Give a path within the work directory, such as data.csv or input/data.csv.";
  throw invalid(`The attachment's name ${shown} can't be used${fits ? "" : ": it is too long"}.`, hint);
}

/** What is no base64 would be read as other bytes than its sender meant. */
function readContent(name: string, { content, encoding = "utf8" }: AttachedFile): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if (typeof content !== "string") throw invalid(`The attachment ${name} has no content.`, "Give text or bytes.");
  if (encoding === "utf8") return Buffer.from(content);
  const text = encoding === "base64" ? content.replace(/\s+/g, "") : "?";
  if (BASE64.test(text) && text.replace(/=+$/, "").length % 4 !== 1) return Buffer.from(text, "base64");
  const hint = 'Encode its bytes as base64, or send it as text with `encoding: "utf8"`.';
  throw invalid(`The content of the attachment ${name} is not base64.`, hint);
}

function notBoth(name: string): DrydockError {
  return invalid(`The attachment ${name} can't be a file and a directory.`, "Give each its own name.");
}

function invalid(message: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", message, hint);
}
