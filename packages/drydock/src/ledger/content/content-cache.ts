import { createHash } from "node:crypto";
import { createReadStream, utimesSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { DrydockError } from "@drydock/protocol";
import { createCacheBound } from "./cache-bound.ts";
import type { Content, LocalContents } from "./local-contents.ts";
import type { SharedContents } from "./shared-contents.ts";

/** The contents that this machine keeps of a shared ledger's. */
export interface ContentCache {
  /** Notes one that was stored here. */
  added(bytes: number): void;
  /** Those of them that this machine has not, or has altered. One that is there counts as used. */
  findMissing(contents: Iterable<string>): Promise<string[]>;
  /** Fetches contents, each checked against its hash. */
  fetch(contents: readonly string[]): Promise<void>;
}

export function createContentCache(local: LocalContents, shared: SharedContents, maxBytes: number): ContentCache {
  const bound = createCacheBound(local, maxBytes);

  async function keep(sha256: string, content: Content): Promise<void> {
    const staged = await local.stage(content, { maxBytes: Number.MAX_SAFE_INTEGER, what: sha256 });
    if (staged.sha256 !== sha256) {
      staged.discard();
      throw damaged(sha256, shared.place, "its hash does not match");
    }
    staged.settle();
    bound.added(staged.size);
  }

  /** One may be large: it is never in memory as a whole. */
  async function fetchOne(wanted: string): Promise<void> {
    let isThere = false;
    async function* stream(): AsyncIterable<Buffer> {
      for await (const { bytes } of shared.read([wanted])) {
        isThere = true;
        yield bytes;
      }
      if (!isThere) throw damaged(wanted, shared.place, "it is missing");
    }
    await keep(wanted, stream());
  }

  return {
    added: bound.added,
    async findMissing(contents) {
      const missing: string[] = [];
      for (const sha256 of new Set(contents)) if (!(await isHere(local, sha256))) missing.push(sha256);
      return missing;
    },
    async fetch(contents) {
      const [first] = contents;
      if (first !== undefined && contents.length === 1) return fetchOne(first);
      const wanted = new Set(contents);
      let current: { sha256: string; parts: Buffer[] } | undefined;
      const keepCurrent = async () => {
        if (!current) return;
        await keep(current.sha256, Buffer.concat(current.parts));
        wanted.delete(current.sha256);
      };
      for await (const { sha256, bytes } of shared.read([...wanted])) {
        if (sha256 !== current?.sha256) {
          await keepCurrent();
          current = { sha256, parts: [] };
        }
        current.parts.push(bytes);
      }
      await keepCurrent();
      const [missing] = wanted;
      if (missing !== undefined) throw damaged(missing, shared.place, "it is missing");
    },
  };
}

/** Whether this machine has it, unaltered; it then counts as used. */
async function isHere(local: LocalContents, sha256: string): Promise<boolean> {
  const path = local.path(sha256);
  try {
    const digest = createHash("sha256");
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), digest);
    if (digest.digest("hex") !== sha256) {
      local.remove(sha256);
      return false;
    }
    const now = new Date();
    utimesSync(path, now, now);
    return true;
  } catch {
    return false;
  }
}

function damaged(sha256: string, place: string, reason: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The stored content ${sha256} is damaged: ${reason}.`,
    `Restore ${place} from a backup, or repeat the run that created it.`,
    { sha256 },
  );
}
