import type { Runner, RunnerContext, RunnerResult } from "@drydock/runner-sdk";
import type { ServiceHttp } from "./http.ts";

export type Field = NonNullable<Runner["manifest"]["config_schema"]>[number];

/** A file of the message, with its content. */
export interface ServiceFile {
  name: string;
  mime: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** One message for a service, and what can be done for it. */
export interface ServiceCall {
  text: string;
  /** Who says it, in words that differ from user to user. */
  user: string;
  /** The conversation at the service; null where there is none yet. */
  conversation: string | null;
  /** The conversation of the host, for services that let their callers name one. */
  ownConversation: string;
  files: readonly ServiceFile[];
  /** Whether text can be shown as it comes. */
  streams: boolean;
  settings: Settings;
  http: ServiceHttp;
  ctx: RunnerContext;
  /** Ends the run with `NAME.api_error`: the service says that it failed. */
  fail(message: unknown, options?: { retryable?: boolean }): never;
}

export interface ServiceAnswer {
  text: string;
  /** Kept for the next message. */
  conversation?: string | null;
  usage?: { input_tokens?: number; output_tokens?: number };
  /** What else there is to tell the host. */
  results?: readonly RunnerResult[];
}

/** One service: what is asked for in its settings, and how a message is put and its answer read. */
export interface Service {
  name: string;
  label: string;
  description: string;
  /** Beside the address, the key and the timeout, which most of them have. */
  fields: readonly Field[];
  /** Names of the fields without which nothing can be asked. */
  required: readonly string[];
  /** How the key goes with a request; null: there is none. */
  authorize(settings: Settings): Record<string, string>;
  timeoutSeconds: number;
  /** Whether it takes files. Where it does not, their names are part of the text. */
  takesFiles: boolean;
  /** The state that the conversation at the service is kept under. */
  stateKey?: string;
  /** Gives text as it comes, and the answer at the end. */
  ask(call: ServiceCall): AsyncGenerator<string, ServiceAnswer, void>;
}

export interface Settings {
  text(name: string): string;
  flag(name: string): boolean;
  count(name: string, fallback: number): number;
  list(name: string): string[];
  object(name: string): Record<string, unknown>;
}
