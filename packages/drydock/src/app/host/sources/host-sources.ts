import type { HostSource, NewSource, SourceChanges, SourceTest, SourceTypeInfo } from "@drydock/protocol";
import type * as z from "zod";

/** Event sources: where events come from, and answers go to. */
export interface HostSources {
  types(): Promise<SourceTypeInfo[]>;
  add(source: z.input<typeof NewSource>): Promise<HostSource>;
  find(name: string): Promise<HostSource>;
  list(): Promise<HostSource[]>;
  /** What is left out stays; null takes a setting or a secret out. */
  change(name: string, changes: SourceChanges): Promise<HostSource>;
  remove(name: string): Promise<HostSource>;
  /** Does what its type has for a trial. It need not run. */
  test(name: string, options?: { signal?: AbortSignal }): Promise<SourceTest>;
  /** Starts those that are enabled, and those that are added or changed later, until it is closed. `drydock serve` does it. */
  serve(): Promise<RunningSources>;
}

export interface RunningSources {
  /** Answers a request to a path of a type, such as `/hooks/`. `key` is what follows. Null: there is nothing to answer it. */
  receive(prefix: string, key: string, request: InboundRequest): Promise<Response | null>;
  /** A source of this address that runs here. */
  find(prefix: string, key: string): { name: string; settings: Record<string, unknown> } | null;
  /** Takes nothing more. Runs under way may end until `patience` aborts; without it they are cancelled. */
  close(patience?: AbortSignal): Promise<void>;
}

export interface InboundRequest {
  method: string;
  headers: Headers;
  body: Uint8Array;
}
