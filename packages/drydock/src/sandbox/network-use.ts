import type { UpstreamRequest } from "./egress/upstream-server.ts";

/** What went through the proxy, and what was not let through. */
export interface NetworkUse {
  refused: { host: string; port: number; reason: string }[];
  connected: { host: string; port: number; bytesUp: number; bytesDown: number }[];
  /** Requests to upstreams. */
  requests: UpstreamRequest[];
}

export function noNetworkUse(): NetworkUse {
  return { refused: [], connected: [], requests: [] };
}

/** What has come together since the last call: each step of a session reports its own part. */
export function takeNetworkUse(use: NetworkUse): NetworkUse {
  return { refused: use.refused.splice(0), connected: use.connected.splice(0), requests: use.requests.splice(0) };
}
