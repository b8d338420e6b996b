import { DrydockError, type KnowledgeBase, type KnowledgeRoot } from "@drydock/protocol";
import { featuresOf } from "../database/features.ts";
import type { LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { createDocumentStore, type DocumentStore } from "./document-store.ts";
import { createVectorStore, type VectorStore } from "./vector-store.ts";
import type { WordSearch } from "./word-index.ts";

const MAX_BASES = 1000;
const MAX_ROOTS = 1000;

/** A passage that a search found, before it is shown. */
export interface FoundChunk {
  chunk: number;
  source: string;
  text: string;
  /** JSON. */
  position: string;
  score: number;
}

/** `seq` is the key of a base inside the store. */
export type StoredBase = KnowledgeBase & { seq: number };

/** Knowledge bases: documents, the passages they were divided into, and their indexes. */
export interface KnowledgeStore {
  /** The base of this name; it is made where there is none. */
  open(name: string): Promise<StoredBase>;
  /** By name or id. */
  find(name: string): Promise<StoredBase | null>;
  list(): Promise<StoredBase[]>;
  remove(name: string): Promise<StoredBase>;
  roots(base: number): Promise<KnowledgeRoot[]>;
  /** The name that the documents of a path begin with: `wanted`, or with a number where another path has it. */
  addRoot(base: number, path: string, wanted: string): Promise<KnowledgeRoot>;
  removeRoot(base: number, name: string): Promise<void>;
  documents: DocumentStore;
  /** Passages with words of the question, the best first. It never fails for what stands in the question. */
  searchWords(search: WordSearch): Promise<FoundChunk[]>;
  vectors: VectorStore;
}

export function createKnowledgeStore(context: LedgerContext): KnowledgeStore {
  const now = () => context.now().toISOString();
  return {
    open: (name) =>
      write(context, async (trx) => {
        const [known] = await selectBases(trx, name);
        if (known) return known;
        const { count } = await trx
          .selectFrom("knowledge_bases")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_BASES) throw tooMany(`A home can have at most ${MAX_BASES} knowledge bases.`);
        const at = now();
        const { seq } = await trx
          .insertInto("knowledge_bases")
          .values({ id: context.newId("kb"), name, created_at: at, changed_at: at })
          .returning("seq")
          .executeTakeFirstOrThrow();
        await featuresOf(trx).words.create(trx, seq);
        return requireBase(trx, name);
      }),
    find: async (name) => (await read(context, (db) => selectBases(db, name)))[0] ?? null,
    list: () => read(context, (db) => selectBases(db)),
    remove: (name) =>
      write(context, async (trx) => {
        const base = await requireBase(trx, name);
        await featuresOf(trx).words.drop(trx, base.seq);
        await trx.deleteFrom("knowledge_vectors").where("base", "=", base.seq).execute();
        await trx.deleteFrom("knowledge_chunks").where("base", "=", base.seq).execute();
        await trx.deleteFrom("knowledge_documents").where("base", "=", base.seq).execute();
        await trx.deleteFrom("knowledge_roots").where("base", "=", base.seq).execute();
        await trx.deleteFrom("knowledge_bases").where("seq", "=", base.seq).execute();
        return base;
      }),
    roots: (base) => read(context, (db) => selectRoots(db, base)),
    addRoot: (base, path, wanted) =>
      write(context, async (trx) => {
        const roots = await selectRoots(trx, base);
        const known = roots.find((root) => root.path === path);
        if (known) return known;
        if (roots.length >= MAX_ROOTS) throw tooMany(`A knowledge base has at most ${MAX_ROOTS} files and folders.`);
        const taken = new Set(roots.map(({ name }) => name));
        let name = wanted;
        for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
        await trx.insertInto("knowledge_roots").values({ base, name, path, created_at: now() }).execute();
        return { name, path };
      }),
    removeRoot: async (base, name) => {
      await write(context, (trx) =>
        trx.deleteFrom("knowledge_roots").where("base", "=", base).where("name", "=", name).execute(),
      );
    },
    documents: createDocumentStore(context),
    searchWords: (search) => read(context, (db) => featuresOf(db).words.search(db, search)),
    vectors: createVectorStore(context),
  };
}

const selectRoots = (db: LedgerDatabase | LedgerTransaction, base: number): Promise<KnowledgeRoot[]> =>
  db.selectFrom("knowledge_roots").select(["name", "path"]).where("base", "=", base).orderBy("name").execute();

async function selectBases(db: LedgerDatabase | LedgerTransaction, name?: string): Promise<StoredBase[]> {
  let query = db.selectFrom("knowledge_bases as kb").select((eb) => [
    ...(["kb.seq", "kb.id", "kb.name", "kb.created_at", "kb.changed_at"] as const),
    eb
      .selectFrom("knowledge_documents as d")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .whereRef("d.base", "=", "kb.seq")
      .where("d.problem", "is", null)
      .as("documents"),
    eb
      .selectFrom("knowledge_documents as d")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .whereRef("d.base", "=", "kb.seq")
      .where("d.problem", "is not", null)
      .as("failed"),
    eb
      .selectFrom("knowledge_documents as d")
      .select(({ fn }) => fn.sum<number>("d.chunks").as("n"))
      .whereRef("d.base", "=", "kb.seq")
      .as("chunks"),
    eb
      .selectFrom("knowledge_vectors as v")
      .select(({ fn }) => fn.max("v.model").as("model"))
      .whereRef("v.base", "=", "kb.seq")
      .as("embedding"),
  ]);
  if (name !== undefined) query = query.where((eb) => eb.or([eb("kb.name", "=", name), eb("kb.id", "=", name)]));
  const rows = await query.orderBy("kb.name").execute();
  return rows.map(({ created_at, changed_at, documents, failed, chunks, ...row }) => ({
    ...row,
    ...{ documents: Number(documents ?? 0), failed: Number(failed ?? 0), chunks: Number(chunks ?? 0) },
    ...{ createdAt: created_at, changedAt: changed_at },
  }));
}

async function requireBase(trx: LedgerTransaction, name: string): Promise<StoredBase> {
  const [found] = await selectBases(trx, name);
  if (found) return found;
  throw noKnowledgeBase(name);
}

export function noKnowledgeBase(name: string): DrydockError {
  const hint = "`drydock kb list` shows all knowledge bases; `drydock kb add NAME PATH` makes one.";
  return new DrydockError("knowledge.not_found", `There is no knowledge base ${name}.`, hint, { knowledge: name });
}

function tooMany(message: string): DrydockError {
  return new DrydockError("input.invalid", message, "Remove some that are not used.");
}
