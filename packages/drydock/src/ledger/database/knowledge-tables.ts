import type { DocumentFormat } from "@drydock/protocol";
import type { Generated } from "kysely";

interface KnowledgeBasesTable {
  seq: Generated<number>;
  id: string;
  name: string;
  created_at: string;
  changed_at: string;
}

/** A file or folder that was added to a base. `name` is the first part of its documents' names. */
interface KnowledgeRootsTable {
  base: number;
  name: string;
  path: string;
  created_at: string;
}

export interface KnowledgeDocumentsTable {
  seq: Generated<number>;
  base: number;
  root: string;
  source: string;
  format: DocumentFormat;
  bytes: number;
  sha256: string;
  chunks: number;
  /** JSON of an error, or null. */
  problem: string | null;
  ingested_at: string;
}

interface KnowledgeChunksTable {
  seq: Generated<number>;
  base: number;
  document: number;
  text: string;
  /** JSON. */
  position: string;
}

/** Vectors as `packVector` makes them: the one column with bytes, which every database has. */
export interface KnowledgeVectorsTable {
  chunk: number;
  base: number;
  model: string;
  vector: Uint8Array;
}

export interface KnowledgeTables {
  knowledge_bases: KnowledgeBasesTable;
  knowledge_roots: KnowledgeRootsTable;
  knowledge_documents: KnowledgeDocumentsTable;
  knowledge_chunks: KnowledgeChunksTable;
  knowledge_vectors: KnowledgeVectorsTable;
}
