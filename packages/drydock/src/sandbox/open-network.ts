import type { EffectivePolicy } from "@drydock/protocol";
import { matchHost } from "../policy/index.ts";
import type { EgressGrant, EgressProxy } from "./egress/index.ts";
import { proxyEnvironment } from "./egress/proxy-environment.ts";

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

export interface OpenNetwork {
  network: NetworkUse;
  /** Admits the run to the proxy, once: most runs never connect. Undefined: no network. */
  admit?(): WayOut;
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
      });
      return { socket: proxy.socketPath, token: grant.token };
    },
    environment: proxyEnvironment(PROXY_PORT, allow),
    release() {
      isReleased = true;
      grant?.revoke();
    },
  };
}
