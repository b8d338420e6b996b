import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";
import { type LedgerContext, orLedgerError, read as readRows, writeRun } from "../ledger-context.ts";
import { requireUnclaimed } from "../runs/require-unclaimed.ts";
import type { ContentStore } from "./content-store.ts";
import { readFileContent, type StagedContent } from "./local-contents.ts";

export interface Blob {
  sha256: string;
  size: number;
}

/**
 * The content of layers, in the same store as artifacts. It is kept for as long as a run refers to it. It is NOT
 * redacted: these are the user's own files, and are delivered byte by byte as the run left them.
 */
export interface Blobs {
  /** Stores bytes, or the file at a path, for a run. */
  put(source: Uint8Array | string, options: { runId: string }): Promise<Blob>;
  /** Many at once, in one transaction. The results are in the order of the sources. */
  putAll(sources: readonly (Uint8Array | string)[], options: { runId: string }): Promise<Blob[]>;
  /** The hashes of all that is kept for a run. */
  list(runId: string): Promise<string[]>;
  read(sha256: string): Promise<Buffer>;
  /** The same, checked against the hash: for what must be just what was recorded. */
  readWhole(sha256: string): Promise<Buffer>;
  /** The path of the content, for copies and links. It must not be changed there. */
  path(sha256: string): Promise<string>;
  /** Brings contents to this machine that other machines have stored, many at once: what comes after reads them here. */
  bring(contents: readonly string[]): Promise<void>;
}

export function createBlobs(context: LedgerContext, store: ContentStore): Blobs {
  async function putAll(sources: readonly (Uint8Array | string)[], options: { runId: string }): Promise<Blob[]> {
    const staged: StagedContent[] = [];
    try {
      for (const source of sources) {
        const content = typeof source === "string" ? readFileContent(source) : source;
        const what = typeof source === "string" ? source : "A file of the layer";
        staged.push(await store.stage(content, { maxBytes: Number.MAX_SAFE_INTEGER, what }));
      }
      await store.publish(staged);
      await writeRun(context, async (trx) => {
        await requireUnclaimed(context, trx, options.runId);
        await store.settle(trx, staged);
        for (const { sha256, size } of staged) {
          await trx
            .insertInto("blob_refs")
            .values({ run_id: options.runId, sha256, size })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      });
    } catch (error) {
      for (const content of staged) content.discard();
      throw context.store.toError(error);
    }
    return staged.map(({ sha256, size }) => ({ sha256, size }));
  }

  async function read(sha256: string): Promise<Buffer> {
    try {
      return await readFile(await store.locate(sha256));
    } catch (error) {
      if (Object(error).code === "ENOENT") throw damaged(sha256, "its file is missing");
      throw context.store.toError(error);
    }
  }

  return {
    putAll,
    async put(source, options) {
      const [blob] = await putAll([source], options);
      return blob as Blob;
    },
    list: (runId) =>
      readRows(context, async (db) => {
        const rows = await db.selectFrom("blob_refs").select("sha256").where("run_id", "=", runId).execute();
        return rows.map(({ sha256 }) => sha256).sort();
      }),
    read,
    async readWhole(sha256) {
      const bytes = await read(sha256);
      if (hash("sha256", bytes, "hex") === sha256) return bytes;
      throw damaged(sha256, "its hash does not match");
    },
    path: (sha256) => orLedgerError(context, store.locate(sha256)),
    bring: (contents) => orLedgerError(context, store.bring(contents)),
  };
}

function damaged(sha256: string, reason: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The stored content ${sha256} is damaged: ${reason}.`,
    "Restore the file from a backup of the home directory.",
    { sha256 },
  );
}
