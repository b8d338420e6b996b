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
/** So many connections are noted one by one; after that, each host that is new. */
const MAX_NETWORK_NOTES = 100;
const MAX_HOSTS = 1000;

/** Lets one run reach what its policy allows, through the proxy. `notesAll`: there is a proxy that refuses, even if nothing is allowed. */
export async function openNetwork(
  { network: { allow } }: EffectivePolicy,
  openProxy: () => Promise<EgressProxy>,
  notesAll = false,
): Promise<OpenNetwork> {
  const network: NetworkUse = { refused: [], connected: [] };
  if (allow.length === 0 && !notesAll) return { network, environment: {}, release: () => {} };
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
          else if (network.refused.length < MAX_HOSTS && !isNoted(network.refused, host, port)) {
            network.refused.push({ host, port, reason });
          }
        },
        onConnected: (host, port, bytesUp, bytesDown) => {
          if (network.connected.length < MAX_NETWORK_NOTES) {
            network.connected.push({ host, port, bytesUp, bytesDown });
            return;
          }
          // The list stays short; no host and no byte is missing in it.
          const known = network.connected.find((each) => each.host === host && each.port === port);
          if (known) {
            known.bytesUp += bytesUp;
            known.bytesDown += bytesDown;
          } else if (network.connected.length < MAX_HOSTS) network.connected.push({ host, port, bytesUp, bytesDown });
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

function isNoted(list: NetworkUse["refused"], host: string, port: number): boolean {
  return list.some((each) => each.host === host && each.port === port);
}
