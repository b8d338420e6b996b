import type { ModelAnswer, ModelMessage, ModelPrice, ModelStep, ModelUsage } from "@drydock/protocol";

/** A tool definition for a model. `parameters` is a JSON Schema. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  /** What it is for: scripted answers are chosen by it, and the ledger shows it. */
  step: ModelStep;
  /** What the record calls this request: a replay finds its answer by it. */
  key?: string;
  task?: string;
  system: string;
  messages: readonly ModelMessage[];
  tools?: readonly ToolSpec[];
  /** The answer must be a JSON value of this shape. */
  output?: { name: string; schema: Record<string, unknown> };
  maxOutputTokens?: number;
  signal?: AbortSignal;
  /** Text as it comes. Where a request is made again, the text starts anew. */
  onText?: (text: string) => void;
  /** Set by a budget, not by the caller. */
  meter?: Meter;
}

/** One way to ask any model. Rejects with `model.failed`, `model.unavailable`, `limit.budget` or `run.cancelled`. */
export interface Model {
  /** `anthropic/claude-…`, `openai/gpt-…`, `scripted`, `replay`. */
  readonly id: string;
  /** Shown wherever the model is named: its answers come from a file. */
  readonly scripted: boolean;
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

/**
 * Called before each request that is really sent (retries, corrections and fallbacks included), and after it with its
 * usage.
 */
export interface Meter {
  reserve(wanted: BudgetRequest): Promise<Reservation>;
}

export interface BudgetRequest {
  model: string;
  /** Null: unknown. */
  price: ModelPrice | null;
  inputTokens: number;
  maxOutputTokens: number | undefined;
  signal: AbortSignal | undefined;
}

export interface Reservation {
  maxOutputTokens: number | undefined;
  /** Called exactly once, with whatever was used, failed or not. */
  settle(usage: ModelUsage): void;
}
