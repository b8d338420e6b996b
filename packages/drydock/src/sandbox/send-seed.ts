import { open } from "node:fs/promises";
import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import { isOutsideTree } from "./layers/index.ts";
import { TO_WARDEN } from "./members/frames.ts";
import type { Member } from "./members/member.ts";
import { checkLayer } from "./worktree/check-layer.ts";
import type { TreeContents } from "./worktree/worktree.ts";

/** What a run starts from: the workspace with this layer on it. */
export interface Seed {
  layer: Layer;
  contents: TreeContents;
}

const PIECE_BYTES = 1024 * 1024;
const REMOVALS_PER_FRAME = 1000;

/**
 * Sends what lies on the workspace when the run begins, after its request and before its code; the warden puts it in place
 * meanwhile. What the policy denies, or a tree does not cover, stays behind.
 */
export async function sendSeed(
  member: Member,
  { layer, contents }: Seed,
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
  for (const entry of wanted) {
    if (entry.kind === "deleted") continue;
    await member.drained();
    signal?.throwIfAborted();
    if (!member.alive) return;
    await sendEntry(member, entry, contents);
  }
}

function isRemoved({ kind, type, wasType }: LayerEntry): boolean {
  return kind === "deleted" || (wasType === "directory" && type !== "directory");
}

async function sendEntry(member: Member, entry: LayerEntry, contents: TreeContents): Promise<void> {
  const { path, type, mode, size = 0, sha256, target } = entry;
  const head = describe({ path, type, mode, size, target });
  if (type !== "file" || size === 0 || sha256 === undefined) return member.send([TO_WARDEN.seed, head]);
  let sent = 0;
  for await (const piece of readPieces(contents, sha256, size)) {
    if (sent === 0) member.send([TO_WARDEN.seed, Buffer.concat([head, piece])]);
    else member.send([TO_WARDEN.seedMore, piece]);
    sent += piece.length;
    await member.drained();
    if (!member.alive) return;
  }
  if (sent === size) return;
  throw new DrydockError(
    "ledger.unavailable",
    `The content of ${path} is not whole: ${sent} of ${size} bytes are there.`,
    "Run `drydock audit verify`. What a run starts from must be just what was recorded.",
    { path, sha256 },
  );
}

async function* readPieces(contents: TreeContents, sha256: string, size: number): AsyncIterable<Buffer> {
  const file = size > PIECE_BYTES ? contents.path?.(sha256) : undefined;
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
