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

/** So many connections are noted one by one; after that, each host that is new. */
const MAX_NETWORK_NOTES = 100;
const MAX_HOSTS = 1000;
const MAX_REQUESTS = 1000;

export function noteRefused({ refused }: NetworkUse, note: NetworkUse["refused"][0]): void {
  const isNoted = () => refused.some(({ host, port }) => host === note.host && port === note.port);
  if (refused.length < MAX_NETWORK_NOTES || (refused.length < MAX_HOSTS && !isNoted())) refused.push(note);
}

/** The list stays short; no host and no byte is missing in it. */
export function noteConnected({ connected }: NetworkUse, note: NetworkUse["connected"][0]): void {
  const isFull = connected.length >= MAX_NETWORK_NOTES;
  const known = isFull && connected.find(({ host, port }) => host === note.host && port === note.port);
  if (known) {
    known.bytesUp += note.bytesUp;
    known.bytesDown += note.bytesDown;
  } else if (connected.length < MAX_HOSTS) connected.push(note);
}

/** The first requests one by one; the others are added up for each upstream, so that no use goes unrecorded. */
export function noteRequest({ requests }: NetworkUse, note: UpstreamRequest): void {
  if (requests.length < MAX_REQUESTS) {
    requests.push(note);
    return;
  }
  const sum = requests.find((each) => each.requests !== undefined && each.upstream === note.upstream);
  if (!sum) {
    requests.push({ ...note, method: "*", path: "*", status: 0, requests: 1 });
    return;
  }
  sum.requests = (sum.requests ?? 0) + 1;
  sum.bytesUp += note.bytesUp;
  sum.bytesDown += note.bytesDown;
  if (note.inputTokens === undefined && note.outputTokens === undefined) return;
  sum.inputTokens = (sum.inputTokens ?? 0) + (note.inputTokens ?? 0);
  sum.outputTokens = (sum.outputTokens ?? 0) + (note.outputTokens ?? 0);
  sum.costUsd = sum.costUsd === null || note.costUsd === null ? null : (sum.costUsd ?? 0) + (note.costUsd ?? 0);
}
