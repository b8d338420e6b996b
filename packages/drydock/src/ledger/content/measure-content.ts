import { type LedgerContext, read } from "../ledger-context.ts";
import type { ContentStore } from "./content-store.ts";

/** Bytes in the content store, by what needs them. What an artifact and a layer share counts as the artifact's. */
export interface ContentSizes {
  artifacts: number;
  layers: number;
  /** Needed by nothing: left by a crash, or about to be written down. */
  unused: number;
}

export async function measureContent(context: LedgerContext, store: ContentStore): Promise<ContentSizes> {
  const [artifacts, layers] = await read(context, async (db) => [
    new Set((await db.selectFrom("artifacts").select("sha256").distinct().execute()).map(({ sha256 }) => sha256)),
    new Set((await db.selectFrom("blob_refs").select("sha256").distinct().execute()).map(({ sha256 }) => sha256)),
  ]);
  const sizes: ContentSizes = { artifacts: 0, layers: 0, unused: 0 };
  for (const { sha256, size } of await store.list()) {
    if (artifacts?.has(sha256)) sizes.artifacts += size;
    else if (layers?.has(sha256)) sizes.layers += size;
    else sizes.unused += size;
  }
  return sizes;
}
