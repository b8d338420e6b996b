import { setImmediate } from "node:timers/promises";
import type { ErrorInfo, KnowledgeDocument, KnowledgePosition } from "@drydock/protocol";
import { sql } from "kysely";
import { defineQuery } from "../database/define-query.ts";
import { featuresOf } from "../database/features.ts";
import type { KnowledgeDocumentsTable } from "../database/knowledge-tables.ts";
import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";
import { toIndexedText } from "./index-words.ts";

export interface NewChunk {
  text: string;
  position: KnowledgePosition;
}

export interface NewDocument extends Pick<KnowledgeDocument, "source" | "format" | "bytes" | "sha256"> {
  base: number;
  root: string;
  chunks: readonly NewChunk[];
  problem: ErrorInfo | null;
}

/** What tells whether a document has to be read again. */
export type KnownDocument = Pick<KnowledgeDocument, "source" | "sha256"> & { hasProblem: boolean };

export interface DocumentStore {
  find(base: number, source: string): Promise<KnownDocument | null>;
  /** Puts a document in place of the earlier one of its name: all of it, or nothing. */
  put(document: NewDocument): Promise<void>;
  /** Names of the documents of a root, after a name, in order. */
  names(base: number, root: string, page: { after: string; limit: number }): Promise<string[]>;
  remove(base: number, sources: readonly string[]): Promise<void>;
  /** The text of a document; null where there is none. White space between passages is not kept as it was. */
  text(base: number, source: string): Promise<string | null>;
  /** Those with problems first. */
  list(base: number, page: { limit: number }): Promise<KnowledgeDocument[]>;
}

interface PreparedChunk {
  text: string;
  /** JSON. */
  position: string;
  title: string;
  body: string;
}

const CHUNKS_AT_ONCE = 200;

export function createDocumentStore(context: LedgerContext): DocumentStore {
  return {
    find: async (base, source) => {
      const row = await read(context, (db) =>
        db
          .selectFrom("knowledge_documents")
          .select(["source", "sha256", "problem"])
          .where("base", "=", base)
          .where("source", "=", source)
          .executeTakeFirst(),
      );
      return row ? { source, sha256: row.sha256, hasProblem: row.problem !== null } : null;
    },
    put: async (document) => {
      const chunks = await prepareChunks(context, document);
      await write(context, (trx) => putDocument(context, trx, document, chunks));
    },
    names: async (base, root, { after, limit }) => {
      const rows = await read(context, (db) =>
        db
          .selectFrom("knowledge_documents")
          .select("source")
          .where("base", "=", base)
          .where("root", "=", root)
          .where("source", ">", after)
          .orderBy("source")
          .limit(limit)
          .execute(),
      );
      return rows.map(({ source }) => source);
    },
    remove: (base, sources) =>
      write(context, async (trx) => {
        for (const source of sources) await removeDocument(trx, base, source);
        await touch(context, trx, base);
      }),
    text: (base, source) =>
      read(context, async (db) => {
        const document = await db
          .selectFrom("knowledge_documents")
          .select("seq")
          .where("base", "=", base)
          .where("source", "=", source)
          .where("problem", "is", null)
          .executeTakeFirst();
        if (!document) return null;
        const chunks = await db
          .selectFrom("knowledge_chunks")
          .select(["text", "position"])
          .where("document", "=", document.seq)
          .orderBy("seq")
          .execute();
        return joinChunks(chunks);
      }),
    list: async (base, { limit }) => {
      const rows = await read(context, (db) =>
        db
          .selectFrom("knowledge_documents")
          .selectAll()
          .where("base", "=", base)
          .orderBy(sql`problem is null`)
          .orderBy("source")
          .limit(limit)
          .execute(),
      );
      return rows.map(fromRow);
    },
  };
}

/** Passages leave out nothing but the white space between them: a sign or two of it, or a new paragraph. */
function joinChunks(chunks: readonly { text: string; position: string }[]): string {
  let text = "";
  let end = 0;
  for (const { text: passage, position } of chunks) {
    const place = JSON.parse(position) as KnowledgePosition;
    const gap = place.start - end;
    text += text === "" || gap <= 0 ? passage : `${gap === 1 ? "\n" : "\n\n"}${passage}`;
    end = place.end;
  }
  return text;
}

/** Prepared before the transaction: other writers wait for its end. */
async function prepareChunks(context: LedgerContext, { source, chunks }: NewDocument): Promise<PreparedChunk[]> {
  const prepared: PreparedChunk[] = [];
  for (const { text: raw, position } of chunks) {
    const text = toStorableText(context, raw);
    const place = JSON.stringify(context.redactor.value(position));
    prepared.push({ text, position: place, ...toIndexedWords(source, { text, heading: position.heading }) });
    if (prepared.length % CHUNKS_AT_ONCE === 0) await setImmediate();
  }
  return prepared;
}

/** What a passage is found by: its own words, and those of its document's name and its heading. */
export function toIndexedWords(
  source: string,
  { text, heading = "" }: { text: string; heading?: string },
): { title: string; body: string } {
  return { title: toIndexedText(`${source} ${heading}`), body: toIndexedText(text) };
}

async function putDocument(
  context: LedgerContext,
  trx: LedgerTransaction,
  document: NewDocument,
  chunks: readonly PreparedChunk[],
): Promise<void> {
  const { base, root, source, format, bytes, sha256, problem } = document;
  await removeDocument(trx, base, source);
  const { seq } = await trx
    .insertInto("knowledge_documents")
    .values({
      ...{ base, root, source, format, bytes, sha256, chunks: chunks.length },
      problem: problem === null ? null : JSON.stringify(context.redactor.value(problem)),
      ingested_at: context.now().toISOString(),
    })
    .returning("seq")
    .executeTakeFirstOrThrow();
  const insertWords = await featuresOf(trx).words.prepareInsert(trx, base);
  for (const [index, { text, position, title, body }] of chunks.entries()) {
    const [row] = await insertChunk(trx, { base, document: seq, text, position });
    if (row) await insertWords({ chunk: row.seq, title, body });
    // A large document must not keep all else in this process waiting.
    if (index % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await setImmediate();
  }
  await touch(context, trx, base);
}

const insertChunk = defineQuery<{ base: number; document: number; text: string; position: string }, { seq: number }>(
  (db, parameter) =>
    db
      .insertInto("knowledge_chunks")
      .values({
        ...{ base: parameter("base"), document: parameter("document") },
        ...{ text: parameter("text"), position: parameter("position") },
      })
      .returning("seq"),
);

async function removeDocument(trx: LedgerTransaction, base: number, source: string): Promise<void> {
  const row = await trx
    .selectFrom("knowledge_documents")
    .select("seq")
    .where("base", "=", base)
    .where("source", "=", source)
    .executeTakeFirst();
  if (!row) return;
  await featuresOf(trx).words.removeDocument(trx, base, row.seq);
  const own = sql`select seq from knowledge_chunks where document = ${row.seq}`;
  await sql`delete from knowledge_vectors where chunk in (${own})`.execute(trx);
  await trx.deleteFrom("knowledge_chunks").where("document", "=", row.seq).execute();
  await trx.deleteFrom("knowledge_documents").where("seq", "=", row.seq).execute();
}

async function touch(context: LedgerContext, trx: LedgerTransaction, base: number): Promise<void> {
  const changed_at = context.now().toISOString();
  await trx.updateTable("knowledge_bases").set({ changed_at }).where("seq", "=", base).execute();
}

type Row = Omit<KnowledgeDocumentsTable, "seq">;

function fromRow({ source, format, bytes, sha256, chunks, problem, ingested_at }: Row): KnowledgeDocument {
  return {
    ...{ source, format, bytes, sha256, chunks },
    problem: problem === null ? null : (JSON.parse(problem) as ErrorInfo),
    ingestedAt: ingested_at,
  };
}
