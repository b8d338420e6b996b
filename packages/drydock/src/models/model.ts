import type { ModelAnswer, ModelMessage, ModelStep } from "@drydock/protocol";

/** A tool as a model is told of it. `parameters` is a JSON Schema. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  /** What it is for: scripted answers are chosen by it, and the ledger shows it. */
  step: ModelStep;
  task?: string;
  system: string;
  messages: readonly ModelMessage[];
  tools?: readonly ToolSpec[];
  /** The answer must be a JSON value of this shape. */
  output?: { name: string; schema: Record<string, unknown> };
  maxOutputTokens?: number;
  signal?: AbortSignal;
  /** Text as it comes. */
  onText?: (text: string) => void;
}

/** One way to ask any model. Rejects with `model.failed`, `model.unavailable`, `limit.budget` or `run.cancelled`. */
export interface Model {
  /** `anthropic/claude-…`, `openai/gpt-…`, `scripted`, `replay`. */
  readonly id: string;
  /** Shown wherever the model is named: its answers come from a file. */
  readonly scripted: boolean;
  ask(request: ModelRequest): Promise<ModelAnswer>;
}
