import type { ModelAnswer, ModelMessage, RunEvent } from "@drydock/protocol";
import type { ToolSpec } from "../../models/index.ts";

export interface ChatOptions {
  system?: string;
  messages: readonly ModelMessage[];
  /** Told to the model; its calls are for whoever asks to carry out. */
  tools?: readonly ToolSpec[];
  /** The answer must be a JSON value of this shape. */
  output?: { name: string; schema: Record<string, unknown> };
  model?: string;
  maxOutputTokens?: number;
  signal?: AbortSignal;
  /** Text as it comes. */
  onText?: (text: string) => void;
  onEvent?: (event: RunEvent) => void;
}

export interface ChatResult {
  runId: string;
  answer: ModelAnswer;
}

/** The configured model, asked directly. */
export interface Models {
  /** What a request that names no model asks; null where none is configured. */
  name(model?: string): Promise<string | null>;
  /** One answer, on record like everything else. */
  chat(options: ChatOptions): Promise<ChatResult>;
}
