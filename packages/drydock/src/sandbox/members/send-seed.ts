import { open } from "node:fs/promises";
import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import { isOutsideTree } from "../layers/index.ts";
import { checkLayer } from "../worktree/check-layer.ts";
import type { TreeContents } from "../worktree/worktree.ts";
import { TO_WARDEN } from "./frames.ts";
import type { Member } from "./member.ts";

/** What a run starts from: the workspace with this layer on it. */
export interface InitialLayer {
  layer: Layer;
  contents: TreeContents;
}

const PIECE_BYTES = 1024 * 1024;
const REMOVALS_PER_FRAME = 1000;
/** So many contents of up to a piece each are held at once. */
const READ_AHEAD = 32;

/**
 * Sends what lies on the workspace when the run begins, after its request and before its code; the warden puts it in place
 * meanwhile. What the policy denies, or a tree does not cover, stays behind. Who cancels, or has gone, gets only a part:
 * nothing may be run on that.
 */
export async function sendSeed(
  member: Member,
  { layer, contents }: InitialLayer,
  hidden: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  checkLayer(layer);
  const denied = new Set(layer.denied);
  const wanted = layer.entries.filter(({ path }) => !denied.has(path) && !isOutsideTree(path) && !hidden(path));
  // Deepest first, so that a directory is empty when its turn comes.
  const removed = wanted.filter(isRemoved).map(({ path }) => path);
  removed.reverse();
  for (let at = 0; at < removed.length; at += REMOVALS_PER_FRAME) {
    member.send([TO_WARDEN.seed, describe({ remove: removed.slice(at, at + REMOVALS_PER_FRAME) })]);
  }
  const placed = wanted.filter(({ kind }) => kind !== "deleted");
  for (let at = 0; at < placed.length; at += READ_AHEAD) {
    const entries = placed.slice(at, at + READ_AHEAD);
    const small = await Promise.all(entries.map((entry) => (isSmall(entry) ? contents.read(entry.sha256) : null)));
    for (const [index, entry] of entries.entries()) {
      if (signal?.aborted || !member.alive) return;
      await sendEntry(member, entry, small[index] ?? null, contents);
    }
  }
}

function isRemoved({ kind, type, wasType }: LayerEntry): boolean {
  return kind === "deleted" || (wasType === "directory" && type !== "directory");
}

function isSmall(entry: LayerEntry): entry is LayerEntry & { sha256: string } {
  const { type, size = 0, sha256 } = entry;
  return type === "file" && sha256 !== undefined && size > 0 && size <= PIECE_BYTES;
}

async function sendEntry(
  member: Member,
  entry: LayerEntry,
  content: Buffer | null,
  contents: TreeContents,
): Promise<void> {
  const { path, type, mode, size = 0, sha256, target } = entry;
  const head = describe({ path, type, mode, size, target });
  if (type !== "file" || size === 0 || sha256 === undefined) return member.send([TO_WARDEN.seed, head]);
  let sent = 0;
  for await (const piece of content ? [content] : readPieces(contents, sha256)) {
    if (sent === 0) member.send([TO_WARDEN.seed, Buffer.concat([head, piece])]);
    else member.send([TO_WARDEN.seedMore, piece]);
    sent += piece.length;
    await member.drained();
    if (!member.alive) return;
  }
  if (sent === size) return;
  throw new DrydockError(
    "ledger.unavailable",
    `The stored content of ${path} is incomplete: ${sent} of ${size} bytes.`,
    "Run `drydock audit verify` to see what is damaged.",
    { path, sha256 },
  );
}

async function* readPieces(contents: TreeContents, sha256: string): AsyncIterable<Buffer> {
  const file = await contents.path?.(sha256);
  if (file === undefined) {
    const bytes = await contents.read(sha256);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
    return;
  }
  const handle = await open(file);
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function describe(entry: Record<string, unknown>): Buffer {
  const text = Buffer.from(JSON.stringify(entry));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}
