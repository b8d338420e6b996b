import type { EffectivePolicy } from "@drydock/protocol";
import { matchHost } from "../policy/index.ts";
import type { EgressGrant, EgressProxy } from "./egress/index.ts";
import { proxyEnvironment } from "./egress/proxy-environment.ts";
import { WAY_OUT } from "./egress/serve-upstream.ts";
import type { OpenUpstreams, RunUpstreams, UpstreamRequest } from "./egress/upstream-server.ts";
import { type NetworkUse, noNetworkUse } from "./network-use.ts";

/** By what the egress proxy knows a run. For wardens and bridges only: the code never sees it. */
export interface WayOut {
  socket: string;
  token: string;
}

export interface OpenNetwork {
  network: NetworkUse;
  /** Admits the run to the proxy, once: most runs never connect. Undefined: no network. */
  admit?(): WayOut;
  environment: Record<string, string>;
  /** Keys of upstreams: no variable of the run may hold one. */
  secrets: readonly string[];
  release(): void;
}

export interface NetworkPorts {
  openProxy: () => Promise<EgressProxy>;
  /** Absent: there are no upstreams. */
  openUpstreams?: OpenUpstreams;
}

const PROXY_PORT = Number(WAY_OUT.split(":")[1]);
const MAX_NETWORK_NOTES = 100;
const MAX_REQUESTS = 1000;

/** Lets one run reach what its policy allows, through the proxy. */
export async function openNetwork(
  { network: { allow, upstreams: named } }: EffectivePolicy,
  workspace: string | null,
  { openProxy, openUpstreams }: NetworkPorts,
): Promise<OpenNetwork> {
  const network = noNetworkUse();
  const upstreams = await openNamed(named, workspace, openUpstreams, network);
  if (allow.length === 0 && !upstreams) return { network, environment: {}, secrets: [], release: () => {} };
  const proxy = await openProxy();
  let grant: EgressGrant | undefined;
  let isReleased = false;
  return {
    network,
    admit() {
      if (isReleased) throw new Error("a run that is over connects to nothing");
      grant ??= proxy.admit({
        allow,
        match: (host, port) => matchHost(allow, host, port),
        onRefused: (host, port, reason) => {
          if (network.refused.length < MAX_NETWORK_NOTES) network.refused.push({ host, port, reason });
        },
        onConnected: (host, port, bytesUp, bytesDown) => {
          if (network.connected.length < MAX_NETWORK_NOTES) network.connected.push({ host, port, bytesUp, bytesDown });
        },
        upstreams,
      });
      return { socket: proxy.socketPath, token: grant.token };
    },
    environment: { ...proxyEnvironment(PROXY_PORT, allow), ...upstreams?.environment(`http://${WAY_OUT}`) },
    secrets: upstreams?.secrets ?? [],
    release() {
      isReleased = true;
      upstreams?.close();
      grant?.revoke();
    },
  };
}

async function openNamed(
  allow: readonly string[],
  workspace: string | null,
  open: OpenUpstreams | undefined,
  network: NetworkUse,
): Promise<RunUpstreams | undefined> {
  if (allow.length === 0 || !open) return undefined;
  const opened = await open({ allow, workspace, onRequest: (request) => addRequest(network.requests, request) });
  return opened.names.length > 0 ? opened : undefined;
}

/** The first requests one by one; the others are added up for each upstream, so that no use goes unrecorded. */
export function addRequest(requests: UpstreamRequest[], request: UpstreamRequest): void {
  if (requests.length < MAX_REQUESTS) {
    requests.push(request);
    return;
  }
  const { upstream } = request;
  const sum = requests.find((each) => each.requests !== undefined && each.upstream === upstream);
  if (!sum) {
    requests.push({ ...request, method: "*", path: "*", status: 0, requests: 1 });
    return;
  }
  sum.requests = (sum.requests ?? 0) + 1;
  sum.bytesUp += request.bytesUp;
  sum.bytesDown += request.bytesDown;
  if (request.inputTokens === undefined && request.outputTokens === undefined) return;
  sum.inputTokens = (sum.inputTokens ?? 0) + (request.inputTokens ?? 0);
  sum.outputTokens = (sum.outputTokens ?? 0) + (request.outputTokens ?? 0);
  sum.costUsd = sum.costUsd === null || request.costUsd === null ? null : (sum.costUsd ?? 0) + (request.costUsd ?? 0);
}
