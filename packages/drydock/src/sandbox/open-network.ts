import type { EffectivePolicy } from "@drydock/protocol";
import { matchHost } from "../policy/index.ts";
import type { EgressGrant, EgressProxy } from "./egress/index.ts";
import { proxyEnvironment } from "./egress/proxy-environment.ts";
import { WAY_OUT } from "./egress/serve-upstream.ts";
import type { OpenUpstreams, RunUpstreams } from "./egress/upstream-server.ts";
import { type NetworkUse, noNetworkUse, noteConnected, noteRefused, noteRequest } from "./network-use.ts";

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

/** Lets one run reach what its policy allows, through the proxy. `notesAll`: there is a proxy that refuses, even if nothing is allowed. */
export async function openNetwork(
  { network: { allow, upstreams: named } }: EffectivePolicy,
  workspace: string | null,
  { openProxy, openUpstreams }: NetworkPorts,
  notesAll = false,
): Promise<OpenNetwork> {
  const network = noNetworkUse();
  const upstreams = await openNamed(named, workspace, openUpstreams, network);
  if (allow.length === 0 && !upstreams && !notesAll) {
    return { network, environment: {}, secrets: [], release: () => {} };
  }
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
        onRefused: (host, port, reason) => noteRefused(network, { host, port, reason }),
        onConnected: (host, port, bytesUp, bytesDown) => noteConnected(network, { host, port, bytesUp, bytesDown }),
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
  const opened = await open({ allow, workspace, onRequest: (request) => noteRequest(network, request) });
  return opened.names.length > 0 ? opened : undefined;
}
