import { realpathSync } from "node:fs";
import { join } from "node:path";
import type {
  AuditReport,
  EventMatches,
  EventPage,
  EventPageOptions,
  ListRunsOptions,
  Run,
  RunCount,
  RunCounts,
  RunEvent,
  RunFilter,
  RunHistory,
  RunHistoryOptions,
  RunSummary,
  SearchEventsOptions,
} from "@drydock/protocol";
import type { CutOptions, CutReport } from "./audit/cut-ledger.ts";
import type { VerifyLedgerOptions } from "./audit/verify-ledger.ts";
import { type Artifacts, createArtifacts } from "./content/artifacts.ts";
import { type Blobs, createBlobs } from "./content/blobs.ts";
import { keepLocally } from "./content/content-store.ts";
import { expireArtifacts } from "./content/expire-artifacts.ts";
import { createLocalContents } from "./content/local-contents.ts";
import type { ContentSizes } from "./content/measure-content.ts";
import { createIdSource } from "./create-id-source.ts";
import type { LedgerStore } from "./database/ledger-store.ts";
import { openSqliteStore } from "./database/sqlite/open-store.ts";
import type { HostStore } from "./host/host-store.ts";
import type { KnowledgeStore } from "./knowledge/knowledge-store.ts";
import type { LedgerContext } from "./ledger-context.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { isOwnerGone, type Owner, ownerOf } from "./owner.ts";
import type { Redactor } from "./redact/create-redactor.ts";
import { appendEvents } from "./runs/append-events.ts";
import { pauseRun, resumeRun } from "./runs/change-state.ts";
import { countMatching, countRuns } from "./runs/count-runs.ts";
import { createRun, type NewRun } from "./runs/create-run.ts";
import { type EndOptions, finishRun } from "./runs/finish-run.ts";
import { getRun } from "./runs/get-run.ts";
import { type ListEventsOptions, listEvents, readEventPage } from "./runs/list-events.ts";
import { listFollowers } from "./runs/list-followers.ts";
import { listParts } from "./runs/list-parts.ts";
import { listRuns } from "./runs/list-runs.ts";
import { recoverRuns } from "./runs/recover-runs.ts";
import { createUnfinishedOutput, type UnfinishedOutput } from "./runs/unfinished-output.ts";
import type { NewEvent } from "./runs/write-events.ts";
import type { HeadSignature } from "./signing/sign-head.ts";
import { createRequests, type Requests } from "./tasks/requests.ts";

export interface LedgerOptions {
  /** The directory that holds `ledger.db` and `artifacts/`; created where it does not exist. */
  home: string;
  /**
   * `postgres://…`: the ledger is in this database in place of `ledger.db`, and so are artifacts and layers. Homes on several
   * machines may share it; private keys stay in each home.
   */
  databaseUrl?: string | null;
  /** Bytes of a shared database's contents that this machine keeps. Default: 2 GiB. */
  cacheBytes?: number;
  /**
   * Whether a process of another machine, or of another container on this one, is certainly gone: only a registry of
   * processes can know. Default: none is.
   */
  isElsewhereGone?: (owner: Owner) => boolean;
  /** `normal`: what was acknowledged survives the death of the process. `full`: that of the machine, too. */
  synchronous?: "normal" | "full";
  redactor: Redactor;
  /** Who answers for the runs created here: `readOwner()`. */
  owner: Owner;
  /** For readers: a home that can't be written (a full disk, a read-only file system) is opened as well. */
  mayBeUnwritable?: boolean;
  now?: () => Date;
}

/** Runs and what happened in them: append only, chained by hash, without secrets. */
export interface Ledger extends Stores {
  /** It can only be read: see `mayBeUnwritable`. */
  readonly isReadOnly: boolean;
  /** This process, as runs that are created here name it. */
  readonly owner: Owner;
  /** The database that it is in; its address has neither password nor options. */
  readonly database: Pick<LedgerStore, "place" | "version" | "isShared">;
  createRun(run: NewRun): Promise<{ id: string }>;
  append(runId: string, events: readonly NewEvent[], options?: { fromSeq?: number }): Promise<RunEvent[]>;
  /**
   * Ends a run with its one terminal event; `before` are events that precede it in the same transaction, `withEnd` is what
   * is written beside them, like a response.
   */
  finish(
    runId: string,
    terminal: NewEvent,
    before?: readonly NewEvent[],
    withEnd?: readonly EndOptions[],
  ): Promise<RunEvent[]>;
  /** Marks a run that this process holds as paused. */
  pause(runId: string, data: Record<string, unknown>): Promise<RunEvent>;
  /** Makes a paused or interrupted run this process's own. */
  resume(runId: string): Promise<RunEvent>;
  getRun(id: string): Promise<Run | null>;
  listRuns(options?: ListRunsOptions): Promise<{ runs: RunSummary[]; nextCursor: string | null }>;
  /** How many runs of each kind there are in each status. */
  countRuns(): Promise<Omit<RunCount, "verdict">[]>;
  /** How many runs fit, by kind, status and verdict; of very many, the newest. */
  countMatching(filter?: RunFilter): Promise<RunCounts>;
  /** Runs over time, for charts. */
  measureRuns(options?: RunHistoryOptions): Promise<RunHistory>;
  /** Events of all runs by their words. */
  searchEvents(options?: SearchEventsOptions): Promise<EventMatches>;
  /** The runs that follow a run, the oldest first. */
  listFollowers(runId: string): Promise<string[]>;
  /** The runs that were started as parts of a run, the oldest first. */
  listParts(runId: string): Promise<Run[]>;
  events(runId: string, options?: ListEventsOptions): Promise<RunEvent[]>;
  /** One page of a run's events, from either end. */
  eventPage(runId: string, options?: EventPageOptions): Promise<EventPage>;
  artifacts: Artifacts & { expire(now: Date): Promise<{ artifacts: number; files: number }> };
  blobs: Blobs;
  requests: Requests;
  unfinished: UnfinishedOutput;
  /** A text as it would be stored. What is cut has to be without secrets before: half of one is not found any more. */
  redact(text: string): string;
  /**
   * Ends as lost, or marks as interrupted, the runs whose process is gone; returns their ids. Default: what can be seen from here.
   */
  recover(isGone?: (owner: Owner) => boolean): Promise<string[]>;
  verify(options?: VerifyLedgerOptions): Promise<AuditReport>;
  /** The end of the chain as it is now, signed with this home's key. */
  signHead(): Promise<HeadSignature>;
  /** JSON lines, each with its line feed. */
  exportAudit(): AsyncIterable<string>;
  cut(options: CutOptions): Promise<CutReport>;
  /** Calls `wake` whenever a run may have new events, whichever process writes them, until the returned function is called. */
  watch(runId: string, wake: () => void): () => void;
  /** What the store of artifacts and layers takes. */
  measureContent(): Promise<ContentSizes>;
  /** Bytes that a shared database takes on its server, without contents; null where the ledger is a file of the home. */
  measureServer(): Promise<number | null>;
  /** Bytes of the database that are free for new rows. */
  measureFreeSpace(): Promise<number>;
  /** Makes the database smaller where much of it is free; returns by how much. */
  reclaimSpace(): Promise<number>;
  /** What the host of agents keeps. */
  openHost(): Promise<HostStore>;
  openKnowledge(): Promise<KnowledgeStore>;
  close(): Promise<void>;
  /**
   * For a process that ends now. To close the last connection makes SQLite copy its log into the database and wait for the disk
   * twice; a short log is left for the next process to read instead, as after a crash. What was recorded is as safe as any commit of
   * a process that goes on: against the death of the process, not against a power cut. With `synchronous: "full"` it closes.
   */
  leave(): Promise<void>;
}

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const synchronous = options.synchronous ?? "normal";
  const now = options.now ?? (() => new Date());
  const database = await openStore({ ...options, synchronous });
  // Machines that share a database are told apart by their homes: their names may be the same.
  const owner = database.members ? ownerOf(options.owner, database.members.own) : options.owner;
  const context: LedgerContext = {
    ...{ home: options.home, store: database, redactor: options.redactor, owner },
    isGone: (other) => isOwnerGone(other, owner, options.isElsewhereGone),
    now,
    claims: new Map(),
    newId: createIdSource(now),
  };
  const local = createLocalContents(join(realpathSync(options.home), "artifacts"), synchronous === "full");
  const { contents } = database;
  const store = contents
    ? (await import("./content/share-contents.ts")).shareContents(local, contents, options)
    : keepLocally(local);
  const artifacts = createArtifacts(context, store);
  return {
    isReadOnly: database.isReadOnly,
    owner,
    database: { place: database.place, version: database.version, isShared: database.isShared },
    ...openStores(context, { artifacts, content: store }),
    createRun: (run) => createRun(context, run),
    append: (runId, events, appendOptions) => appendEvents(context, runId, events, appendOptions),
    finish: (runId, terminal, before, withEnd) => finishRun(context, runId, terminal, before, withEnd),
    pause: (runId, data) => pauseRun(context, runId, data),
    resume: (runId) => resumeRun(context, runId),
    getRun: (id) => getRun(context, id),
    listRuns: (listOptions) => listRuns(context, listOptions),
    countRuns: () => countRuns(context),
    countMatching: (filter) => countMatching(context, filter),
    measureRuns: async (history) => (await import("./runs/measure-runs.ts")).measureRuns(context, history),
    searchEvents: async (search) => (await import("./audit/search-events.ts")).searchEvents(context, search),
    listFollowers: (runId) => listFollowers(context, runId),
    listParts: (runId) => listParts(context, runId),
    watch: database.watcher.watch,
    events: (runId, listOptions) => listEvents(context, runId, listOptions),
    eventPage: (runId, pageOptions) => readEventPage(context, runId, pageOptions),
    artifacts: {
      ...artifacts,
      expire: (expiryTime) => expireArtifacts(context, store, expiryTime),
    },
    blobs: createBlobs(context, store),
    requests: createRequests(context),
    unfinished: createUnfinishedOutput(context),
    redact: (text) => context.redactor.text(text),
    recover: (isGone) => recoverRuns(context, isGone),
    verify: async (verifyOptions) => (await import("./audit/verify-ledger.ts")).verifyLedger(context, verifyOptions),
    signHead: async () => (await import("./signing/sign-head.ts")).signHead(context),
    async *exportAudit() {
      yield* (await import("./audit/export-audit.ts")).exportAudit(context);
    },
    cut: async (cutOptions) => (await import("./audit/cut-ledger.ts")).cutLedger(context, store, cutOptions),
    measureContent: async () => (await import("./content/measure-content.ts")).measureContent(context, store),
    measureServer: async () => (await database.measureServer?.()) ?? null,
    measureFreeSpace: database.measureFreeSpace,
    reclaimSpace: database.reclaimSpace,
    openHost: async () => (await import("./host/host-store.ts")).createHostStore(context),
    openKnowledge: async () => (await import("./knowledge/knowledge-store.ts")).createKnowledgeStore(context),
    close: database.close,
    leave: database.leave,
  };
}

async function openStore(options: LedgerOptions & { synchronous: "normal" | "full" }): Promise<LedgerStore> {
  const { databaseUrl } = options;
  if (!databaseUrl) return openSqliteStore(options);
  return (await import("./database/postgres/open-store.ts")).openPostgresStore({ ...options, databaseUrl });
}
