import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MAX_FILES, MAX_TOTAL_BYTES } from "../../format/list-files.ts";
import { type ArchiveFile, badArchive } from "./archive-file.ts";
import { readTar } from "./read-tar.ts";
import { readZip } from "./read-zip.ts";

export type ArchiveKind = "tar.gz" | "tar" | "zip";

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);
/** Each file of a tar archive takes a header and fills up its last block. */
const MAX_TAR_BYTES = MAX_TOTAL_BYTES + MAX_FILES * 1536;
/** No program or text is packed this well; a bomb is. */
const MAX_RATIO = 250;
const UNSUSPICIOUS_BYTES = 4 * 1024 * 1024;

/** The plain files of an archive, held in memory: nothing is written, so nothing can be written in the wrong place. */
export async function unpackArchive(bytes: Uint8Array, kind: ArchiveKind): Promise<ArchiveFile[]> {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = kind === "zip" ? await readZip(packed) : readTar(kind === "tar" ? packed : await unzip(packed));
  const total = files.reduce((sum, { content }) => sum + content.length, 0);
  if (total > UNSUSPICIOUS_BYTES && total > packed.length * MAX_RATIO)
    throw badArchive(`it becomes more than ${MAX_RATIO} times as large`);
  if (files.length === 0) throw badArchive("it is empty");
  return files;
}

async function unzip(packed: Buffer): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: MAX_TAR_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw badArchive(
      isTooLarge ? `it holds more than ${MAX_TOTAL_BYTES / 1024 / 1024} MB` : "it is not gzip, or damaged",
    );
  }
}
