import type { LedgerTables } from "../database/schema.ts";
import type { SharingTables } from "../database/sharing-tables.ts";

/** Of one machine, or of the copy itself: they are not copied row by row. */
type Own = keyof SharingTables | "meta";
export type CopiedTable = Exclude<keyof LedgerTables, Own>;

/** Each table with the columns of its key, in whose order it is read. A table that is missing here is a type error. */
export const KEYS = {
  runs: ["id"],
  run_facts: ["run_id"],
  events: ["run_id", "seq"],
  heads: ["position"],
  checkpoints: ["position"],
  artifacts: ["id"],
  blob_refs: ["run_id", "sha256"],
  requests: ["id"],
  backlog: ["id"],
  profiles: ["workspace", "number"],
  capabilities: ["run_id"],
  approvals: ["id"],
  responses: ["id"],
  sessions: ["id"],
  agents: ["id"],
  bindings: ["id"],
  host_events: ["seq"],
  transcript: ["seq"],
  host_values: ["owner", "key"],
  host_warnings: ["source", "text"],
  sources: ["id"],
  knowledge_bases: ["seq"],
  knowledge_roots: ["base", "name"],
  knowledge_documents: ["seq"],
  knowledge_chunks: ["seq"],
  knowledge_vectors: ["chunk"],
} as const satisfies Record<CopiedTable, readonly string[]>;

/**
 * What is large and never changes once it is written. It is copied in many transactions: a copy that was killed goes on
 * behind the last row. All else is copied in the last one.
 */
export const LARGE_TABLES = ["events", "heads", "blob_refs"] as const satisfies readonly CopiedTable[];

/** Keys that the database itself counts up. */
export const COUNTED: readonly CopiedTable[] = [
  ...["host_events", "transcript", "knowledge_bases", "knowledge_documents", "knowledge_chunks"],
] as CopiedTable[];
