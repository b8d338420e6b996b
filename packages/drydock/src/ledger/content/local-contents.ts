import { createHash, hash, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { listDirectory } from "../../base/paths/index.ts";

export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Content that is written and hashed on this machine, but not yet in its place. */
export interface StagedContent {
  readonly sha256: string;
  readonly size: number;
  /** Where it can be read until it is discarded. */
  file(): string;
  /** Puts it in its place. Cheap and synchronous: it runs inside the transaction that writes the row for it, which may be tried again. */
  settle(): void;
  discard(): void;
}

/** Files of this machine named by their SHA-256, `ab/cdef…`, each written once. */
export interface LocalContents {
  stage(content: Content, options: StageOptions): Promise<StagedContent>;
  path(sha256: string): string;
  remove(sha256: string): void;
  list(): { sha256: string; size: number }[];
  /** The files that have been there since before then. */
  listOld(before: Date): string[];
  /** Removes what was half written before then, by a process that is gone. */
  clearStaging(before: Date): void;
}

export interface StageOptions {
  maxBytes: number;
  /** What an error calls it. */
  what: string;
}

const SHA256 = /^[0-9a-f]{64}$/;

export function createLocalContents(root: string, durable: boolean): LocalContents {
  const staging = join(root, "staging");

  function path(sha256: string): string {
    if (!SHA256.test(sha256)) {
      throw new DrydockError(
        "input.invalid",
        `"${sha256}" is not a SHA-256 hash.`,
        "Give the 64 hexadecimal digits of one.",
      );
    }
    return join(root, sha256.slice(0, 2), sha256.slice(2));
  }

  function listAll(): string[] {
    return listDirectory(root)
      .filter((directory) => directory !== "staging")
      .flatMap((directory) => listDirectory(join(root, directory)).map((name) => directory + name))
      .filter((sha256) => SHA256.test(sha256));
  }

  function settleFile(staged: string, sha256: string): void {
    const target = path(sha256);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(staged, target);
    if (durable) syncDirectory(dirname(target));
  }

  function writeStaged(bytes: Uint8Array): string {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    const file = join(staging, randomUUID());
    const descriptor = openSync(file, "wx", 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      if (durable) fsyncSync(descriptor);
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return file;
  }

  function stageBytes(bytes: Uint8Array): StagedContent {
    const sha256 = hash("sha256", bytes, "hex");
    let staged = existsSync(path(sha256)) ? undefined : writeStaged(bytes);
    function discard(): void {
      if (staged !== undefined) rmSync(staged, { force: true });
      staged = undefined;
    }
    function settle(): void {
      if (!existsSync(path(sha256))) {
        // Where nothing was staged it was there a moment ago, and an expiry has removed it since.
        settleFile(staged ?? writeStaged(bytes), sha256);
        staged = undefined;
      }
      discard();
    }
    return { sha256, size: bytes.length, file: () => staged ?? path(sha256), settle, discard };
  }

  async function stageStream(
    chunks: AsyncIterable<Uint8Array>,
    maxBytes: number,
    what: string,
  ): Promise<StagedContent> {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    const file = join(staging, randomUUID());
    const handle = await open(file, "wx", 0o600);
    const digest = createHash("sha256");
    let size = 0;
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        refuseOversize(size, maxBytes, what);
        digest.update(chunk);
        await handle.write(chunk);
      }
      if (durable) await handle.sync();
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    const sha256 = digest.digest("hex");
    return {
      sha256,
      size,
      file: () => (existsSync(file) ? file : path(sha256)),
      settle() {
        if (existsSync(file)) settleFile(file, sha256);
      },
      discard: () => rmSync(file, { force: true }),
    };
  }

  return {
    path,
    async stage(content, { maxBytes, what }) {
      if (!(content instanceof Uint8Array)) return stageStream(content, maxBytes, what);
      refuseOversize(content.length, maxBytes, what);
      return stageBytes(content);
    },
    remove(sha256) {
      rmSync(path(sha256), { force: true });
    },
    list() {
      return listAll().map((sha256) => ({
        sha256,
        size: statSync(path(sha256), { throwIfNoEntry: false })?.size ?? 0,
      }));
    },
    listOld(before) {
      return listAll().filter((sha256) => isOlder(path(sha256), before));
    },
    clearStaging(before) {
      for (const name of listDirectory(staging)) {
        if (isOlder(join(staging, name), before)) rmSync(join(staging, name), { force: true });
      }
    },
  };
}

/** A file's content as a stream, without following a symbolic link that took its place. */
export async function* readFileContent(file: string): AsyncIterable<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  yield* handle.createReadStream({ highWaterMark: 1 << 20 });
}

export function refuseOversize(size: number, maxBytes: number, what: string): void {
  if (size <= maxBytes) return;
  throw new DrydockError(
    "limit.disk",
    `${what} is too large to store: the limit is ${maxBytes} bytes.`,
    "Make it smaller, split it, or raise the limit.",
    { maxBytes },
  );
}

function isOlder(path: string, before: Date): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtime < before;
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
