import type {
  AgentToolCall,
  Approval,
  ExecutedCode,
  GoalUsage,
  Language,
  PolicyDocument,
  RunEvent,
} from "@drydock/protocol";
import type * as z from "zod";
import type { ToolHost } from "../mcp-tools/tool-host.ts";
import type { OnProgress, TaskProgress } from "../progress.ts";

/** Where Drydock finds what an agent is, also across copies of the library. */
export const AGENT: unique symbol = Symbol.for("drydock.agent") as never;

/** A zod schema, of whatever copy of zod 4: only the types that it carries are named here. */
export interface Schema<In = unknown, Out = unknown> {
  readonly _zod: { readonly input: In; readonly output: Out };
}

export type InputOf<S extends Schema> = S["_zod"]["input"];
export type OutputOf<S extends Schema> = S["_zod"]["output"];

export interface ToolContext {
  signal: AbortSignal;
  /** The run of the agent that calls. */
  runId: string;
  /** For tools that bring a program or an address of their own, such as MCP servers. */
  host?: ToolHost;
}

/**
 * A function for a model to call. It is the owner's own code and runs in the host; `input` is a zod schema, or a JSON
 * Schema where there is none.
 */
export interface FunctionTool {
  name: string;
  description: string;
  input: Schema | Record<string, unknown>;
  /** Its return value becomes text (JSON if it is no text). The model gets its errors. */
  run(input: never, context: ToolContext): unknown;
}

/** Tools that are found when an agent is called, such as those of an MCP server. */
export interface ToolSource {
  name: string;
  open(context: ToolContext): Promise<{ tools: readonly FunctionTool[]; close(): Promise<void> }>;
}

// biome-ignore lint/suspicious/noExplicitAny: agents of all shapes are tools, and a function's input is contravariant.
export type AnyAgent = Agent<any, any>;

export type AgentTool = AnyAgent | FunctionTool | ToolSource;

export interface ExecuteSettings {
  /** Default python. */
  language?: Language;
  /** Less than the owner allows, or up to it. Default: guard `strict`, 30 s of wall and CPU time. */
  policy?: PolicyDocument;
  /** A directory that the code works on; it is never changed. */
  workspace?: string;
  /** How often code may be written, at most. Default 3. */
  attempts?: number;
}

/** The return value of a hook replaces its argument; undefined keeps it. */
export interface AgentHooks<Input, Output> {
  beforeGenerate?(event: { input: Input; prompt: string }): string | undefined | Promise<string | undefined>;
  /** After each answer without tool calls, before it is validated or executed: its text, or the code in it. */
  afterGenerate?(event: { input: Input; text: string }): string | undefined | Promise<string | undefined>;
  /** After code was executed. It sees, and changes nothing. */
  afterExecute?(event: { input: Input; executed: ExecutedCode }): void | Promise<void>;
  /** After each tool call. */
  afterTool?(event: { input: Input; call: AgentToolCall }): void | Promise<void>;
  /** Before the call resolves. */
  afterCall?(event: { input: Input; output: Output }): Output | undefined | Promise<Output | undefined>;
}

export interface AgentDefinition<Input extends Schema = Schema, Output extends Schema = Schema> {
  /** A letter, then letters, digits, `_` or `-`. */
  name: string;
  description: string;
  input: Input;
  /** Default: text. With `execute`, the shape of `result`. */
  output?: Output;
  /** A Liquid template; its variables are the properties of `input`, or `input` itself where that is no object. */
  prompt: string;
  /** The system prompt; may be a template. */
  system?: string;
  model?: string;
  tools?: readonly AgentTool[];
  /**
   * What the agent and its tools ask for: hosts, MCP servers, limits. Less than the owner allows, or up to it; a call may
   * ask for something else, key by key.
   */
  policy?: PolicyDocument;
  /** Answers of the model until the call must end. Default 10. */
  maxTurns?: number;
  /** How often an output that is not valid is sent back. Default 2. */
  repairs?: number;
  hooks?: AgentHooks<OutputOf<Input>, unknown>;
}

export interface AgentCallOptions {
  signal?: AbortSignal;
  /** In the place of the agent's own. */
  model?: string;
  /** In the place of what the agent asks for, key by key; never above the owner's ceiling. */
  policy?: PolicyDocument;
  /** For agents that execute: a live session to do it in. */
  session?: string;
  budget?: { tokens?: number; usd?: number };
  /** Asks a person about an extension's action whose risk demands it. Default: such an action is refused. */
  approval?: (approval: Approval) => Promise<{ approved: boolean; by?: string; reason?: string }>;
  onProgress?: OnProgress;
  onEvent?: (event: RunEvent) => void;
}

export interface AgentResult<Output = unknown> {
  output: Output;
  runId: string;
  toolCalls: AgentToolCall[];
  usage: GoalUsage;
}

/** The items of a stream: progress, then the result. */
export type AgentStreamEvent<Output> = TaskProgress | { kind: "result"; output: Output; runId: string };

/** Any agent's definition, as Drydock works with it. */
export interface AnyDefinition extends Omit<AgentDefinition, "input" | "output"> {
  input: z.ZodType;
  output?: z.ZodType;
  execute?: ExecuteSettings;
}

/** Who carries calls out: a dock. */
export interface AgentHost {
  callAgent(definition: AnyDefinition, input: unknown, options: AgentCallOptions): Promise<AgentResult>;
}

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type IsOne<K, All = K> = [K] extends [never] ? false : K extends K ? ([All] extends [K] ? true : false) : never;

/** A bare text stands for the one thing that an input needs, where that is a text. */
type SoleText<T> = IsOne<RequiredKeys<T>> extends true ? (string extends T[RequiredKeys<T>] ? string : never) : never;

export type AgentInput<Input extends Schema> = InputOf<Input> | SoleText<InputOf<Input>>;

/** A typed function that a model carries out. */
export interface Agent<Input extends Schema, Output> {
  (input: AgentInput<Input>, options?: AgentCallOptions): Promise<Output>;
  /** The same, with the run's id, tool calls and usage. */
  run(input: AgentInput<Input>, options?: AgentCallOptions): Promise<AgentResult<Output>>;
  stream(
    input: AgentInput<Input>,
    options?: AgentCallOptions,
  ): AsyncGenerator<AgentStreamEvent<Output>, void, undefined>;
  readonly description: string;
  readonly [AGENT]: { readonly definition: AnyDefinition; use(host: AgentHost): void };
}
