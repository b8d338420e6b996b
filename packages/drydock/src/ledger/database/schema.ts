import type { Kysely, Transaction } from "kysely";

/** Columns hold text and whole numbers only, so that SQLite and PostgreSQL store the same thing. Times are ISO 8601 in UTC. */
export interface RunsTable {
  id: string;
  kind: string;
  status: string;
  verdict: string;
  title: string;
  session_id: string | null;
  workspace: string | null;
  error_code: string | null;
  tree_hash: string | null;
  created_at: string;
  ended_at: string | null;
  events: number;
  head_hash: string;
  owner_pid: number;
  owner_start: string;
  owner_host: string;
}

export interface EventsTable {
  run_id: string;
  seq: number;
  type: string;
  at: string;
  /** Canonical JSON: the very text that the hash covers. */
  data: string;
  prev_hash: string;
  hash: string;
}

export type HeadKind = "created" | "ended" | "amended" | "checkpoint";

/** The ledger's own chain: one entry for each run that begins, ends, or is added to after its end, and for each checkpoint. */
export interface HeadsTable {
  position: number;
  kind: string;
  run_id: string;
  events: number;
  head_hash: string;
  at: string;
  prev_hash: string;
  hash: string;
}

/** What a retention cut leaves behind; `position` is that of its entry in `heads`. */
interface CheckpointsTable {
  position: number;
  data: string;
}

interface MetaTable {
  key: string;
  value: string;
}

export interface ArtifactsTable {
  id: string;
  run_id: string;
  name: string;
  mime: string;
  size: number;
  sha256: string;
  created_at: string;
  expires_at: string | null;
}

interface BlobRefsTable {
  run_id: string;
  sha256: string;
  size: number;
}

interface RequestsTable {
  id: string;
  run_id: string;
  kind: string;
  data: string;
  at: string;
}

export interface BacklogTable {
  id: string;
  workspace: string;
  task: string;
  status: string;
  run_id: string | null;
  created_at: string;
  changed_at: string;
}

export interface ProfilesTable {
  workspace: string;
  number: number;
  status: string;
  text: string;
  /** JSON: a list of texts, and a list of steps. */
  sources: string;
  history: string;
}

export interface LedgerTables {
  runs: RunsTable;
  events: EventsTable;
  heads: HeadsTable;
  checkpoints: CheckpointsTable;
  meta: MetaTable;
  artifacts: ArtifactsTable;
  blob_refs: BlobRefsTable;
  requests: RequestsTable;
  backlog: BacklogTable;
  profiles: ProfilesTable;
}

export type LedgerDatabase = Kysely<LedgerTables>;
export type LedgerTransaction = Transaction<LedgerTables>;
