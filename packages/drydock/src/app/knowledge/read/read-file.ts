import { hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import type { DrydockError } from "@drydock/protocol";
import { documentError } from "./document-error.ts";

export const MAX_FILE_BYTES = 50 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

export interface FileContent {
  content: Buffer;
  sha256: string;
}

/**
 * The bytes of one file, bounded. `path` is a real path: where a part of it has become a link meanwhile, another file would
 * be opened. What was opened is therefore asked for its path.
 */
export async function readDocumentFile(path: string): Promise<FileContent> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error.code ?? error.message);
  });
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw documentError("It is no ordinary file.", "Leave it out.");
    if ((await readlink(`/proc/self/fd/${file.fd}`)) !== path)
      throw documentError("It was reached through a link.", "Put a copy of the file in the link's place.");
    if (facts.size > MAX_FILE_BYTES) throw tooLarge();
    const content = await readBounded(file);
    return { content, sha256: hash("sha256", content) };
  } finally {
    await file.close();
  }
}

/** A file may grow while it is read, and some say that they have no bytes. */
async function readBounded(file: FileHandle): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  while (true) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES).catch((error) => {
      throw unreadable(error.code ?? error.message);
    });
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
    if (size > MAX_FILE_BYTES) throw tooLarge();
  }
}

function unreadable(reason: string): DrydockError {
  return documentError(`The file can't be read: ${reason}.`, "Check that it is there, and who may read it.");
}

function tooLarge(): DrydockError {
  const message = `The file has more than ${MAX_FILE_BYTES / 1024 / 1024} MB.`;
  return documentError(message, "Divide it, or convert it to text first.");
}
