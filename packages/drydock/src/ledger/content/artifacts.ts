import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { type ArtifactRef, DrydockError } from "@drydock/protocol";
import type { ArtifactsTable } from "../database/schema.ts";
import { type LedgerContext, orLedgerError, read, writeRun } from "../ledger-context.ts";
import { requireUnclaimed } from "../runs/require-unclaimed.ts";
import { toStorableText } from "../to-storable-text.ts";
import type { ContentStore } from "./content-store.ts";
import type { Content } from "./local-contents.ts";
import { redactContent } from "./redact-content.ts";

export interface NewArtifact {
  runId: string;
  name: string;
  mime: string;
  /** Default: 256 MB. More is refused, and nothing is kept. */
  maxBytes?: number;
  expiresAt?: Date;
}

/** An artifact with what its row knows beyond the reference that results carry. */
export interface Artifact extends ArtifactRef {
  runId: string;
  createdAt: string;
  expiresAt: string | null;
}

/** Bytes from `start` up to, not including, `end`. An end beyond the last byte means the last byte. */
export interface ByteRange {
  start?: number;
  end?: number;
}

export interface Artifacts {
  put(content: Content, artifact: NewArtifact): Promise<ArtifactRef>;
  get(id: string): Promise<Artifact | null>;
  list(runId: string): Promise<Artifact[]>;
  /** The bytes. A whole artifact is checked against its hash on the way. */
  read(id: string, range?: ByteRange): Promise<Buffer>;
  stream(id: string, range?: ByteRange): Promise<Readable>;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

export function createArtifacts(context: LedgerContext, store: ContentStore): Artifacts {
  async function put(content: Content, artifact: NewArtifact): Promise<ArtifactRef> {
    const name = toStorableText(context, artifact.name);
    const limit = { maxBytes: artifact.maxBytes ?? DEFAULT_MAX_BYTES, what: `The artifact ${name}` };
    const redacted = await redactContent(context.redactor, content, artifact.mime, limit);
    const staged = await orLedgerError(context, store.stage(redacted, limit));
    const { size, sha256 } = staged;
    const reference = { id: context.newId("art"), name, mime: artifact.mime, size, sha256 };
    try {
      await store.publish([staged]);
      await writeRun(context, async (trx) => {
        await requireUnclaimed(context, trx, artifact.runId);
        await store.settle(trx, [staged]);
        await trx
          .insertInto("artifacts")
          .values({
            ...reference,
            run_id: artifact.runId,
            created_at: context.now().toISOString(),
            expires_at: artifact.expiresAt?.toISOString() ?? null,
          })
          .execute();
      });
    } catch (error) {
      staged.discard();
      throw context.store.toError(error);
    }
    return reference;
  }

  async function find(id: string): Promise<ArtifactsTable> {
    const row = await read(context, (db) =>
      db.selectFrom("artifacts").selectAll().where("id", "=", id).executeTakeFirst(),
    );
    if (row) return row;
    throw new DrydockError(
      "input.invalid",
      `There is no artifact ${id} in this ledger.`,
      "It may have expired; list the artifacts of its run.",
      { artifactId: id },
    );
  }

  const locate = (row: ArtifactsTable) => orLedgerError(context, store.locate(row.sha256));

  return {
    put,
    async get(id) {
      const row = await read(context, (db) =>
        db.selectFrom("artifacts").selectAll().where("id", "=", id).executeTakeFirst(),
      );
      return row ? artifactFromRow(row) : null;
    },
    async list(runId) {
      const rows = await read(context, (db) =>
        db.selectFrom("artifacts").selectAll().where("run_id", "=", runId).orderBy("id").execute(),
      );
      return rows.map(artifactFromRow);
    },
    async read(id, range) {
      const row = await find(id);
      const { start, end } = resolveRange(row, range);
      const bytes = await readBytes(await locate(row), start, end, row);
      const isWhole = start === 0 && end === row.size;
      if (isWhole && hash("sha256", bytes, "hex") !== row.sha256) throw damaged(row, "its content has been changed");
      return bytes;
    },
    async stream(id, range) {
      const row = await find(id);
      const { start, end } = resolveRange(row, range);
      // The last byte of a stream's range is included, so that an empty one can't be said.
      if (start === end) return Readable.from([]);
      return createReadStream(await locate(row), { start, end: end - 1 });
    },
  };
}

async function readBytes(path: string, start: number, end: number, row: ArtifactsTable): Promise<Buffer> {
  const handle = await open(path, "r").catch(() => undefined);
  if (!handle) throw damaged(row, "its file is missing");
  try {
    const bytes = Buffer.alloc(end - start);
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) throw damaged(row, "its file is too short");
      done += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

function resolveRange(row: ArtifactsTable, range: ByteRange = {}): { start: number; end: number } {
  const start = range.start ?? 0;
  const end = Math.min(range.end ?? row.size, row.size);
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end) return { start, end };
  throw new DrydockError(
    "input.invalid",
    `Bytes ${start} to ${range.end ?? "the end"} lie outside artifact ${row.id}, which has ${row.size} bytes.`,
    "Ask for a start and an end within its size.",
    { artifactId: row.id, size: row.size },
  );
}

function damaged(row: ArtifactsTable, reason: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The artifact ${row.name} (${row.id}) is damaged: ${reason}.`,
    "Restore the file from a backup of the home directory, or repeat the run that created it.",
    { artifactId: row.id, sha256: row.sha256 },
  );
}

function artifactFromRow(row: ArtifactsTable): Artifact {
  return {
    id: row.id,
    name: row.name,
    mime: row.mime,
    size: row.size,
    sha256: row.sha256,
    runId: row.run_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
