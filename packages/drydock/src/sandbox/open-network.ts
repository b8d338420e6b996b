import type { EffectivePolicy } from "@drydock/protocol";
import { matchHost } from "../policy/index.ts";
import type { EgressProxy } from "./egress/index.ts";

/** What went through the proxy, and what was not let through. */
export interface NetworkUse {
  refused: { host: string; port: number; reason: string }[];
  connected: { host: string; port: number; bytesUp: number; bytesDown: number }[];
}

/** By what the egress proxy knows a run. For wardens and bridges only: the code never sees it. */
export interface WayOut {
  socket: string;
  token: string;
}

interface OpenNetwork {
  network: NetworkUse;
  /** Undefined: no network. */
  wayOut?: WayOut;
  environment: Record<string, string>;
  release(): void;
}

const PROXY_PORT = 3128;
const MAX_NETWORK_NOTES = 100;

/** Lets one run reach what its policy allows, through the proxy. */
export async function openNetwork(
  { network: { allow } }: EffectivePolicy,
  openProxy: () => Promise<EgressProxy>,
): Promise<OpenNetwork> {
  const network: NetworkUse = { refused: [], connected: [] };
  if (allow.length === 0) return { network, environment: {}, release: () => {} };
  const { proxyEnvironment } = await import("./egress/index.ts");
  const proxy = await openProxy();
  const grant = proxy.admit({
    allow,
    match: (host, port) => matchHost(allow, host, port),
    onRefused: (host, port, reason) => {
      if (network.refused.length < MAX_NETWORK_NOTES) network.refused.push({ host, port, reason });
    },
    onConnected: (host, port, bytesUp, bytesDown) => {
      if (network.connected.length < MAX_NETWORK_NOTES) network.connected.push({ host, port, bytesUp, bytesDown });
    },
  });
  return {
    network,
    wayOut: { socket: proxy.socketPath, token: grant.token },
    environment: proxyEnvironment(PROXY_PORT, allow),
    release: () => grant.revoke(),
  };
}
