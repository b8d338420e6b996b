import type { KnowledgeFilters } from "@drydock/protocol";
import type { LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import type { FoundChunk } from "./knowledge-store.ts";

export interface WordSearch {
  base: number;
  question: string;
  limit: number;
  filters?: KnowledgeFilters;
}

/** The words of a passage, as `toIndexedText` spells them. */
export interface IndexedChunk {
  chunk: number;
  title: string;
  body: string;
}

/** The full-text index of each knowledge base, as a database offers it. */
export interface WordIndex {
  create(trx: LedgerTransaction, base: number): Promise<void>;
  drop(trx: LedgerTransaction, base: number): Promise<void>;
  /** A function that adds passages, built once for many of them. */
  prepareInsert(trx: LedgerTransaction, base: number): Promise<(chunk: IndexedChunk) => Promise<void>>;
  /** Takes the passages of a document out; they are still in `knowledge_chunks`. */
  removeDocument(trx: LedgerTransaction, base: number, document: number): Promise<void>;
  /** Passages with words of the question, the best first. */
  search(db: LedgerDatabase, search: WordSearch): Promise<FoundChunk[]>;
}

/** A word in the name of a document, or in a heading, counts more than one in its text. */
export const TITLE_WEIGHT = 2;
