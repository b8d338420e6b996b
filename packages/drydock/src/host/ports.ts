import type {
  ErrorInfo,
  EventType,
  HostAgent,
  HostEvent,
  KnowledgeBase,
  KnowledgeFilters,
  KnowledgeResult,
} from "@drydock/protocol";
import type { Message, RunnerManifest, RunResources } from "@drydock/protocol/runner";
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
  /** What an event has of a value, so that a replay can use it: its JSON or the hash of that; nothing of a secret. */
  keep(value: unknown): Promise<KeptValue>;
  /** Keeps bytes as an artifact of the run, and gives its id. */
  storeArtifact(content: Buffer, facts: { name: string; mime: string }): Promise<string>;
  /** The bytes of a range, or none without one. Null where this run has no such artifact. */
  readArtifact(id: string, range?: { start: number; end: number }): Promise<ArtifactContent | null>;
  /** Aborts when somebody cancels the run from elsewhere. */
  readonly cancelled: AbortSignal;
  close(): void;
}

export interface KeptValue {
  /** As text: an event sorts the keys of what it holds. */
  json?: string;
  sha256?: string;
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

/** A tool of the dock that a run may use. */
export interface HostTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, as models read it. */
  parameters: Record<string, unknown>;
  /** The same as arguments are held against: without what only its author vouches for, such as patterns. */
  checked: Record<string, unknown>;
}

export interface ToolResult {
  text: string;
  failed: boolean;
  /** The run that it was; null where it has none of its own. */
  runId: string | null;
}

/** The run that tools are for. */
export interface ToolsRequest {
  runId: string;
  agent: HostAgent;
  event: HostEvent;
  signal: AbortSignal;
}

/** The tools of one run. What they start belongs to that run, and ends with it. */
export interface RunTools {
  /** Null where the dock has no such tool. */
  describe(name: string): Promise<HostTool | null>;
  call(name: string, parameters: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
  close(): Promise<void>;
}

/** An agent that a run has started in the sandbox, for the runner that talks with it. */
export interface Harness {
  /** The agent's own run. */
  readonly runId: string;
  send(message: string): Promise<void>;
  /** Resolves when there is something, or when the agent has ended. */
  read(): Promise<{ messages: string[]; ended: string | null }>;
  /** Ends it with all of its processes. The second call gives what the first gave. */
  close(): Promise<HarnessEnd>;
}

export interface HarnessEnd {
  runId: string;
  changes: number;
  verdict: string;
  delivery: "applied" | "kept" | "discarded" | "nothing";
}

export interface HarnessRequest {
  agent: HostAgent;
  /** The runner's run. */
  runId: string;
  eventId: string;
  event: HostEvent;
  conversation: string | null;
  /** The run whose changes it goes on from. */
  after: string | null;
  /** Where the agent reaches the host. The token goes to the agent, in a header, and nowhere else. */
  gateway: { url: string; token: string } | null;
  signal: AbortSignal;
}

export interface OutgoingMessage {
  surface: string;
  target: Record<string, unknown>;
  message: Message;
  /** Ids of artifacts of the run that belong to the message. */
  artifacts: readonly string[];
  runId: string;
  agent: string;
}

/** Something that a runner asks the host to do, with the event that it is about. */
export interface ActionRequest {
  action: string;
  target: Record<string, unknown> | null;
  payload: Record<string, unknown> | null;
  agent: string;
  /** The runner's run. */
  runId: string;
  eventId: string;
  event: HostEvent;
  /** How long it may wait for an approval. */
  approvalSeconds: number;
  /** Hears what becomes of an action that waits, as long as the runner's run lasts. */
  onSettled(outcome: ActionOutcome): Promise<void>;
  signal: AbortSignal;
}

/** `waiting`: somebody has to approve it; the runner's run does not wait for that. */
export interface ActionOutcome {
  status: "done" | "failed" | "waiting" | "refused";
  /** The action's own run; null where it was refused before it began. */
  runId: string | null;
  message: string;
}

/** What models do besides answering, for the run of the record: it is on record there, and counts against its budget. */
export interface ModelHelp {
  rerank(
    record: RunRecord,
    model: string,
    request: { query: string; documents: readonly string[]; limit?: number },
    signal: AbortSignal,
  ): Promise<{ index: number; score: number }[]>;
  countTokens(
    record: RunRecord,
    model: string,
    request: Pick<ModelQuestion, "messages" | "funcs">,
    signal: AbortSignal,
  ): Promise<number>;
}

export interface KnowledgeAccess {
  /** Knowledge bases by name or id. Those that are not there are left out. */
  find(names: readonly string[]): Promise<Pick<KnowledgeBase, "id" | "name" | "documents">[]>;
  search(
    record: RunRecord,
    id: string,
    query: string,
    options: { limit: number; filters?: KnowledgeFilters; signal: AbortSignal },
  ): Promise<KnowledgeResult>;
  /** The text of a document; null where there is none of this name. */
  read(id: string, source: string): Promise<string | null>;
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
  openTools(request: ToolsRequest): RunTools;
  /** The skills that the agent was granted, with those that are active in the event's conversation. */
  listSkills(request: { agent: HostAgent; event: HostEvent }): Promise<RunResources["skills"]>;
  /** Sends a message on a surface. False where nothing is registered for it. */
  deliver(delivery: OutgoingMessage): Promise<boolean>;
  requestAction(request: ActionRequest): Promise<ActionOutcome>;
  /** Starts the agent of the settings in the sandbox. Refused unless the owner has enabled exactly these settings. */
  openHarness(request: HarnessRequest): Promise<Harness>;
  /** Settings with the values of the secrets that they name. They go to the runner's process, and to no record. */
  revealSecrets(manifest: RunnerManifest, config: Record<string, unknown>): Promise<Record<string, unknown>>;
  now(): number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}
