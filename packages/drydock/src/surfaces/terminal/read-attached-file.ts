import { open } from "node:fs/promises";
import { DrydockError, describeFileError } from "@drydock/protocol";
import { renderBytes } from "./render/render-quantities.ts";

/** A file that a person attaches. It is read as far as it may be long, whatever it says of its size: a device has no end. */
export async function readAttachedFile(path: string, file: string, maxBytes: number): Promise<Buffer> {
  try {
    await using handle = await open(file);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(path, maxBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    const message = `${path} can't be read: ${describeFileError(error)}.`;
    throw new DrydockError("input.invalid", message, "Check the path.", {}, error);
  }
}

function tooLarge(path: string, maxBytes: number): DrydockError {
  const hint = `A file may have ${renderBytes(maxBytes)}. Use --workspace DIR for more.`;
  return new DrydockError("input.invalid", `${path} is too large.`, hint);
}
