import { HOST_LIMITS } from "@drydock/protocol";
import type { Attachment } from "../../data/chat.ts";

/** Around the files there is the message itself. */
const ROOM_BYTES = 64 * 1024;

/** Base64 of all files of a message and its text: what the server takes of one event. */
export function fitsEvent(text: string, attachments: readonly Attachment[]): boolean {
  const bytes = new TextEncoder().encode(text).length * 2;
  return attachments.reduce((all, { url }) => all + url.length, bytes) < HOST_LIMITS.eventBytes - ROOM_BYTES;
}

/** Files as they go with a message. The name is a parameter of the address, as RFC 2397 has it. */
export function readAttachments(files: Iterable<File>): Promise<Attachment[]> {
  return Promise.all(
    Array.from(files, async (file) => {
      const mime = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
      const url = `data:${mime};name=${escapeName(file.name)};base64,${await readBase64(file)}`;
      return { name: file.name, mime, size: file.size, url };
    }),
  );
}

function readBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

function escapeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}
