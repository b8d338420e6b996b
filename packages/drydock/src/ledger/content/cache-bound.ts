import { statSync } from "node:fs";
import type { LocalContents } from "./local-contents.ts";

/** What was used within this time may be in use now. */
const IN_USE_MS = 10 * 60 * 1000;
/** It is made so much smaller than it may be, so that the next content does not begin all over. */
const ROOM = 0.9;

/** Keeps a machine's copies of contents within a size: what was used longest ago goes first. */
export function createCacheBound(local: LocalContents, maxBytes: number): { added(bytes: number): void } {
  let total: number | undefined;

  function shrink(): void {
    const now = Date.now();
    const copies = local.list().flatMap(({ sha256, size }) => {
      const stat = statSync(local.path(sha256), { throwIfNoEntry: false });
      return stat ? [{ sha256, size, usedAt: stat.mtimeMs }] : [];
    });
    total = copies.reduce((sum, { size }) => sum + size, 0);
    if (total <= maxBytes) return;
    copies.sort((one, other) => one.usedAt - other.usedAt);
    for (const { sha256, size, usedAt } of copies) {
      if (total <= maxBytes * ROOM || now - usedAt < IN_USE_MS) break;
      local.remove(sha256);
      total -= size;
    }
  }

  return {
    added(bytes) {
      if (total !== undefined) total += bytes;
      if (total === undefined || total > maxBytes) shrink();
    },
  };
}
