import type { Generated, Kysely, Transaction } from "kysely";
import type { KnowledgeTables } from "./knowledge-tables.ts";
import type { SharingTables } from "./sharing-tables.ts";

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
  /** Number of the event by which a worker claimed it; 0: it is under no claim. */
  fence: number;
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

/** One call of an extension's action: what its run's first and last events say of it, where it can be looked for. */
export interface CapabilitiesTable {
  run_id: string;
  extension: string;
  command: string;
  action: string;
  /** `user` is a word of SQL. */
  caller: string;
  session: string;
  /** When it was let through by its quota, and begins to count; null where it was not. */
  began_at: string | null;
  duration_ms: number | null;
}

export interface ApprovalsTable {
  id: string;
  run_id: string;
  extension: string;
  command: string;
  action: string;
  summary: string;
  risk: string;
  status: string;
  requested_by: string;
  requested_at: string;
  decided_by: string | null;
  decided_at: string | null;
  reason: string | null;
}

export interface ResponsesTable {
  id: string;
  session: string;
  run_id: string;
  extension: string;
  command: string;
  action: string;
  mime: string;
  size: number;
  kept: number;
  /** 0 or 1. */
  truncated: number;
  /** JSON: an artifact's reference. */
  artifact: string | null;
  /** JSON. */
  metadata: string;
  created_at: string;
  expires_at: string;
  content: string;
}

/** A session: when it began and ended, and figures of its steps. They stay when the runs of the steps are removed. */
export interface SessionsTable {
  id: string;
  language: string;
  opened_at: string;
  closed_at: string | null;
  reason: string | null;
  idle_ms: number;
  steps: number;
  failed_steps: number;
  cpu_ms: number;
  owner_pid: number;
  owner_start: string;
  owner_host: string;
}

/** What lists and charts need of a run's first and terminal event. Only runs of agents and those that ask models have one. */
export interface RunFactsTable {
  run_id: string;
  agent: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Millionths of a US dollar. */
  micro_usd: number | null;
}

export interface AgentsTable {
  id: string;
  name: string;
  /** JSON. */
  settings: string;
  created_at: string;
  changed_at: string;
}

export interface BindingsTable {
  id: string;
  agent: string | null;
  /** Scope, value, event type, priority and filters: no two bindings may have the same. */
  rank: string;
  settings: string;
  created_at: string;
}

export interface HostEventsTable {
  seq: Generated<number>;
  id: string;
  type: string;
  /** Key of the conversation; null for an event that belongs to none. */
  conversation: string | null;
  outcome: string;
  run_id: string | null;
  envelope: string;
  created_at: string;
  /** The process that has it in hand, as JSON; null for events of earlier versions. */
  owner: string | null;
}

export interface TranscriptTable {
  seq: Generated<number>;
  id: string;
  conversation: string;
  event_id: string;
  run_id: string | null;
  role: string;
  /** Text for people and searches, cut. */
  content: string;
  /** JSON, whole. */
  content_json: string;
  artifacts: string;
  created_at: string;
}

/** State and storage of runners: `owner` says whose. */
export interface HostValuesTable {
  owner: string;
  key: string;
  value: string;
  changed_at: string;
}

/** What was refused or wrong in the host and belongs to no run. */
export interface HostWarningsTable {
  source: string;
  text: string;
  kind: string;
  /** The run that the caller named. */
  run_id: string | null;
  count: number;
  first_at: string;
  last_at: string;
}

/** Event sources of the host. */
export interface SourcesTable {
  id: string;
  name: string;
  /** JSON. Secrets are named in it, never held. */
  settings: string;
  /** JSON; null as long as it was never started. */
  status: string | null;
  created_at: string;
  changed_at: string;
}

export interface LedgerTables extends KnowledgeTables, SharingTables {
  runs: RunsTable;
  run_facts: RunFactsTable;
  events: EventsTable;
  heads: HeadsTable;
  checkpoints: CheckpointsTable;
  meta: MetaTable;
  artifacts: ArtifactsTable;
  blob_refs: BlobRefsTable;
  requests: RequestsTable;
  backlog: BacklogTable;
  profiles: ProfilesTable;
  capabilities: CapabilitiesTable;
  approvals: ApprovalsTable;
  responses: ResponsesTable;
  sessions: SessionsTable;
  agents: AgentsTable;
  bindings: BindingsTable;
  host_events: HostEventsTable;
  transcript: TranscriptTable;
  host_values: HostValuesTable;
  host_warnings: HostWarningsTable;
  sources: SourcesTable;
}

export type LedgerDatabase = Kysely<LedgerTables>;
export type LedgerTransaction = Transaction<LedgerTables>;
