import { createContentCache } from "./content-cache.ts";
import type { ContentStore } from "./content-store.ts";
import type { LocalContents } from "./local-contents.ts";
import type { SharedContents } from "./shared-contents.ts";

interface CacheOptions {
  /** How much of it this machine keeps. */
  cacheBytes?: number;
}

const DEFAULT_CACHE_BYTES = 2 * 1024 ** 3;

/**
 * A ledger of several machines: contents lie in one place for all, and this machine keeps those that it used last. What it
 * keeps is checked against its hash whenever it is asked for: what was damaged is fetched again.
 */
export function shareContents(
  local: LocalContents,
  shared: SharedContents,
  { cacheBytes = DEFAULT_CACHE_BYTES }: CacheOptions,
): ContentStore {
  const cache = createContentCache(local, shared, cacheBytes);

  async function bring(contents: readonly string[]): Promise<void> {
    const missing = await cache.findMissing(contents);
    if (missing.length > 0) await cache.fetch(missing);
  }

  return {
    stage: local.stage,
    clearStaging: local.clearStaging,
    publish: (staged) => shared.keep(staged),
    async settle(trx, staged) {
      await shared.confirm(trx, staged);
      for (const content of staged) {
        content.settle();
        cache.added(content.size);
      }
    },
    async locate(sha256) {
      await bring([sha256]);
      return local.path(sha256);
    },
    bring,
    hold: shared.hold,
    async remove(trx, contents) {
      await shared.remove(trx, contents);
      for (const sha256 of contents) local.remove(sha256);
    },
    list: shared.list,
    async listOld(before) {
      // What others have removed goes from here, too.
      const kept = new Set((await shared.list()).map(({ sha256 }) => sha256));
      for (const sha256 of local.listOld(before)) if (!kept.has(sha256)) local.remove(sha256);
      return shared.listOld(before);
    },
  };
}
