import { setImmediate } from "node:timers/promises";
import type { KnowledgeFilters } from "@drydock/protocol";
import { sql } from "kysely";
import type { KnowledgeVectorsTable } from "../database/knowledge-tables.ts";
import type { LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import type { FoundChunk } from "./knowledge-store.ts";
import { compareVectors, packVector } from "./pack-vector.ts";
import { toCondition } from "./search-filters.ts";

export interface VectorSearch {
  base: number;
  model: string;
  /** Of length one. */
  vector: Float32Array;
  limit: number;
  filters?: KnowledgeFilters;
}

export interface VectorStore {
  /** Passages that have no vector of this model yet, the oldest first. */
  missing(base: number, model: string, limit: number): Promise<{ chunk: number; text: string }[]>;
  /** A passage that has gone meanwhile is left out. A vector of another model is replaced. */
  put(base: number, model: string, vectors: ReadonlyMap<number, Float32Array>): Promise<void>;
  /** Passages whose vectors point in the most similar direction. Vectors of another length are left out. */
  search(search: VectorSearch): Promise<FoundChunk[]>;
}

/** So many vectors are in memory at a time. */
const PAGE = 2000;

export function createVectorStore(context: LedgerContext): VectorStore {
  return {
    missing: (base, model, limit) =>
      read(
        context,
        async (db) =>
          (
            await sql<{ chunk: number; text: string }>`
              select c.seq as chunk, c.text from knowledge_chunks c
              left join knowledge_vectors v on v.chunk = c.seq and v.model = ${model}
              where c.base = ${base} and v.chunk is null order by c.seq limit ${limit}`.execute(db)
          ).rows,
      ),
    put: (base, model, vectors) =>
      write(context, async (trx) => {
        for (const [chunk, vector] of vectors) await putVector(trx, { chunk, base, model, vector: packVector(vector) });
      }),
    search: (search) => searchVectors(context, search),
  };
}

async function putVector(trx: LedgerTransaction, row: KnowledgeVectorsTable): Promise<void> {
  const passage = trx.selectFrom("knowledge_chunks").select("seq").where("seq", "=", row.chunk);
  if (!(await passage.where("base", "=", row.base).executeTakeFirst())) return;
  await trx
    .insertInto("knowledge_vectors")
    .values(row)
    .onConflict((conflict) => conflict.column("chunk").doUpdateSet(row))
    .execute();
}

async function searchVectors(
  context: LedgerContext,
  { base, model, vector, limit, filters }: VectorSearch,
): Promise<FoundChunk[]> {
  let best: { chunk: number; score: number }[] = [];
  let after = 0;
  while (true) {
    const { rows } = await read(context, (db) =>
      sql<{ chunk: number; vector: Uint8Array }>`
        select v.chunk, v.vector from knowledge_vectors v
        join knowledge_chunks c on c.seq = v.chunk
        join knowledge_documents d on d.seq = c.document
        where v.base = ${base} and v.model = ${model} and v.chunk > ${after} and ${toCondition(filters)}
        order by v.chunk limit ${PAGE}`.execute(db),
    );
    for (const row of rows) {
      const score = compareVectors(vector, row.vector);
      if (score !== null) best.push({ chunk: row.chunk, score });
    }
    best = best.sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
    after = rows.at(-1)?.chunk ?? after;
    if (rows.length < PAGE) break;
    // Whatever else this process does goes on between two pages.
    await setImmediate();
  }
  return fill(context, best);
}

async function fill(context: LedgerContext, best: readonly { chunk: number; score: number }[]): Promise<FoundChunk[]> {
  if (best.length === 0) return [];
  const rows = await read(context, (db) =>
    db
      .selectFrom("knowledge_chunks as c")
      .innerJoin("knowledge_documents as d", "d.seq", "c.document")
      .select(["c.seq as chunk", "d.source", "c.text", "c.position"])
      .where(
        "c.seq",
        "in",
        best.map(({ chunk }) => chunk),
      )
      .execute(),
  );
  const byChunk = new Map(rows.map((row) => [row.chunk, row]));
  return best.flatMap(({ chunk, score }) => {
    const row = byChunk.get(chunk);
    return row ? [{ ...row, score }] : [];
  });
}
