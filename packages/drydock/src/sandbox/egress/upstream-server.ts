import type { IncomingMessage, ServerResponse } from "node:http";

/** One request of a run to an upstream, as the record keeps it: no headers, no query, no body. */
export interface UpstreamRequest {
  upstream: string;
  method: string;
  path: string;
  /** What the run got. 0: it went away, or ended, before there was an answer. */
  status: number;
  bytesUp: number;
  bytesDown: number;
  inputTokens?: number;
  outputTokens?: number;
  /** Null: the price is unknown. */
  costUsd?: number | null;
  /** True where the numbers of tokens are Drydock's estimate. */
  estimated?: boolean;
  /** Why Drydock answered itself. Absent where the upstream answered. */
  refused?: string;
  /** Set where it stands for several requests, which are too many to be listed one by one. */
  requests?: number;
}

/** Serves one run's requests to its upstreams. It holds the keys; the run and its processes do not. */
export interface UpstreamServer {
  has(name: string): boolean;
  /** Answers the request, whatever happens. `path` is as the run sent it, with its query. */
  serve(
    name: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void>;
}

/** The upstreams of one run or session, from its beginning to its end. */
export interface RunUpstreams extends UpstreamServer {
  readonly names: readonly string[];
  /** Values that nothing inside may have: the keys. */
  readonly secrets: readonly string[];
  /** Variables by which programs inside find the upstreams at `address`, and placeholders for keys. */
  environment(address: string): Record<string, string>;
  /** Ends requests that are under way. Each is reported before it returns, none after. */
  close(): void;
}

/** Opens what a policy names in `network.upstreams`. Rejects where one is not configured, or its key can't be had. */
export type OpenUpstreams = (request: {
  allow: readonly string[];
  workspace: string | null;
  onRequest: (request: UpstreamRequest) => void;
}) => Promise<RunUpstreams>;
