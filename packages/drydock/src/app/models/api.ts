import type { ModelAnswer, ModelMessage, ModelUsage, ProviderApi, RunEvent } from "@drydock/protocol";
import type { Budget, ToolSpec } from "../../models/index.ts";

export interface ChatOptions {
  system?: string;
  messages: readonly ModelMessage[];
  /** Tools for the model; the caller executes its calls. */
  tools?: readonly ToolSpec[];
  /** The answer must be a JSON value of this shape. */
  output?: { name: string; schema: Record<string, unknown> };
  model?: string;
  maxOutputTokens?: number;
  signal?: AbortSignal;
  /** Text as it comes. */
  onText?: (text: string) => void;
  onEvent?: (event: RunEvent) => void;
  /** A sentence each: why a request is made again. */
  onNotice?: (text: string) => void;
}

export interface ChatResult {
  runId: string;
  answer: ModelAnswer;
}

export interface ProviderInfo {
  name: string;
  api: ProviderApi;
  baseUrl: string;
  /** The variable that should hold the key; null where none is wanted. */
  keyVariable: string | null;
  hasKey: boolean;
  /** Why it can't be used as it is configured. */
  problem: string | null;
}

export interface ModelList {
  /** Used in this order if a request names no model. Empty if there is none. */
  models: string[];
  /** Who named them: `DRYDOCK_MODEL`, `config.yaml`, or a key that was found. */
  source: "request" | "DRYDOCK_MODEL" | "config.yaml" | "key" | null;
  /** Set where a key decided: one sentence. */
  reason: string | null;
  /** One model of each provider that comes with Drydock, as an example of a name. */
  suggested: string[];
  providers: ProviderInfo[];
}

export interface AddModelOptions {
  /** `PROVIDER/NAME`. */
  model: string;
  /** Used if the default and the existing fallbacks fail. Without it, the model becomes the default. */
  fallback?: boolean;
  /** The provider's address. Needed for one that Drydock does not know. */
  baseUrl?: string;
  /** The environment variable that holds the provider's key. The key itself is never written to a file. */
  keyVariable?: string;
  api?: ProviderApi;
  /** False where the server takes no JSON Schema with a request. */
  schemas?: boolean;
}

export interface AddedModel {
  /** The file that holds it now. */
  file: string;
  model: string;
  role: "default" | "fallback";
  /** The default that it replaced. */
  replaced: string | null;
}

export interface RemovedModel {
  /** The file that held it. */
  file: string;
  model: string;
  role: "default" | "fallback";
  /** The default from now on; null where the file names none any more. */
  next: string | null;
  /** The provider that was removed with it; null where another model uses it, or where it comes with Drydock. */
  provider: string | null;
}

export type TestModelOptions = Pick<ChatOptions, "model" | "signal" | "onNotice">;

export interface TestedModel {
  /** Who answered, after fallbacks. */
  model: string;
  /** As in `ModelList`. */
  reason: string | null;
  runId: string;
  text: string;
  durationMs: number;
  /** Requests that it took. */
  requests: number;
  usage: ModelUsage;
}

/** @internal */
export interface PartOptions extends ChatOptions {
  /** The run that the question is a part of. */
  parentRunId?: string;
  /** The budget of that run, where it has one. */
  inherited?: Budget | null;
}

/** @internal */
export interface LiveModels extends Models {
  chat(options: PartOptions): Promise<ChatResult>;
}

/** A direct request to the configured model. */
export interface Models {
  /** What a request that names no model asks; null where none is configured and no key is found. */
  name(model?: string): Promise<string | null>;
  /** One answer, on record like everything else. */
  chat(options: ChatOptions): Promise<ChatResult>;
  /** The default models, and the providers. */
  list(): Promise<ModelList>;
  /** Writes a model into the home's `config.yaml`. DrydockError `input.invalid` for what can't be written there. */
  add(options: AddModelOptions): Promise<AddedModel>;
  /** Removes a model from `config.yaml`. DrydockError `input.invalid` for one that is not in it. */
  remove(model: string): Promise<RemovedModel>;
  /** Asks one short question. Rejects as `chat` does where no answer comes. */
  test(options?: TestModelOptions): Promise<TestedModel>;
}
