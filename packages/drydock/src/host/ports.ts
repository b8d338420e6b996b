import type { ErrorInfo, EventType, KnowledgeBase, KnowledgeFilters, KnowledgeResult } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import type { HostStore } from "../ledger/index.ts";
import type { OpenLink } from "./channel/link.ts";
import type { Plugin } from "./plugins/plugin.ts";

/** The one door to the sandbox. It resolves with the error that ended the program, or null. */
export type RunProgram = (request: ProgramRequest) => Promise<ErrorInfo | null>;

/** A program of a plugin, to be run in the sandbox until it ends or `signal` says so. */
export interface ProgramRequest {
  command: string[];
  /** The plugin's directory: the program finds it read-only, and works in a directory of its own. */
  directory: string;
  /** Hosts and variables that it asks for. */
  sandbox: Plugin["sandbox"];
  stdin: AsyncIterable<string>;
  signal: AbortSignal;
  onOutput(chunk: { stream: "stdout" | "stderr"; text: string }): void;
}

/** One run on record. Events are written in the order of the calls. */
export interface RunRecord {
  readonly id: string;
  append(type: EventType, data: Record<string, unknown>): Promise<void>;
  finish(type: "run.succeeded" | "run.failed" | "run.cancelled", data: Record<string, unknown>): Promise<void>;
  /** Keeps bytes as an artifact of the run, and gives its id. */
  storeArtifact(content: Buffer, facts: { name: string; mime: string }): Promise<string>;
  /** The bytes of a range, or none without one. Null where this run has no such artifact. */
  readArtifact(id: string, range?: { start: number; end: number }): Promise<ArtifactContent | null>;
  /** Aborts when somebody cancels the run from elsewhere. */
  readonly cancelled: AbortSignal;
  close(): void;
}

export interface ArtifactContent {
  name: string;
  mime: string;
  sha256: string;
  size: number;
  content: Buffer;
}

export interface ModelQuestion {
  model: string;
  messages: readonly Message[];
  funcs: readonly Record<string, unknown>[];
  signal: AbortSignal;
  onText?(text: string): void;
}

/** What models do besides answering. */
export interface ModelHelp {
  rerank(
    model: string,
    request: { query: string; documents: readonly string[]; limit?: number },
    signal: AbortSignal,
  ): Promise<{ index: number; score: number }[]>;
  countTokens(model: string, request: Pick<ModelQuestion, "messages" | "funcs">, signal: AbortSignal): Promise<number>;
}

export interface KnowledgeAccess {
  /** Knowledge bases by name or id. Those that are not there are left out. */
  find(names: readonly string[]): Promise<Pick<KnowledgeBase, "id" | "name" | "documents">[]>;
  search(
    id: string,
    query: string,
    options: { limit: number; filters?: KnowledgeFilters; signal: AbortSignal },
  ): Promise<KnowledgeResult>;
}

/** What the host needs of a dock. */
export interface HostPorts {
  modelHelp: ModelHelp;
  knowledge: KnowledgeAccess;
  version: string;
  /** How long a process of a plugin is given new runs. */
  processLifeMs: number;
  /** The same by what it has written. */
  processLifeChars: number;
  facts: HostStore;
  /** All that can be used. */
  plugins(): Promise<Plugin[]>;
  /** The one of an id, as it is now; null where there is none. */
  findPlugin(id: string): Promise<Plugin | null>;
  /** How a process of the plugin is reached; it starts one where that is needed. */
  openLink(plugin: Plugin): OpenLink;
  createRun(request: { title: string; data: Record<string, unknown> }): Promise<RunRecord>;
  askModel(record: RunRecord, question: ModelQuestion): Promise<{ message: Message; usage: TokenUsage | null }>;
  now(): number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}
