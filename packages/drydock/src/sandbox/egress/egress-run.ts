import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { EgressRule } from "./decide-target.ts";
import type { EgressTarget } from "./parse-target.ts";
import type { UpstreamServer } from "./upstream-server.ts";

/** A run that may reach hosts: its rule, and callbacks for hosts that it reached or was refused. Callbacks may not throw. */
export interface EgressRun extends EgressRule {
  onRefused: (host: string, port: number, reason: string) => void;
  /** Called once for each connection to a host, when it ends; at the latest while the run is being revoked. */
  onConnected: (host: string, port: number, bytesUp: number, bytesDown: number) => void;
  /** Serves requests to `http://NAME.dock`. Absent: the run has no upstreams. */
  upstreams?: UpstreamServer;
}

export interface EgressGrant {
  token: string;
  /** Ends every connection of the run, and its right to open more. Nothing is reported after it returns. */
  revoke: () => void;
}

/** The proxy's own record of an admitted run. */
export interface AdmittedRun {
  readonly run: EgressRun;
  readonly token: string;
  /** Aborted when the run is revoked. */
  readonly signal: AbortSignal;
  /** Counts a connection from the run until it closes. */
  readonly hold: (client: Duplex) => void;
  readonly openConnections: () => number;
  readonly refuse: (host: string, port: number, reason: string) => void;
  /** Reports the traffic of a connection to a host when it closes. */
  readonly follow: (target: EgressTarget, upstream: Socket) => void;
  readonly revoke: () => void;
}

export function createAdmittedRun(run: EgressRun): AdmittedRun {
  const revoked = new AbortController();
  const clients = new Set<Duplex>();
  /** Hosts' sockets, each with the report that is still owed for it. */
  const upstreams = new Map<Socket, () => void>();

  function settle(upstream: Socket): void {
    const report = upstreams.get(upstream);
    upstreams.delete(upstream);
    report?.();
  }

  return {
    run,
    token: randomBytes(24).toString("base64url"),
    signal: revoked.signal,
    hold(client) {
      clients.add(client);
      client.once("close", () => clients.delete(client));
    },
    openConnections: () => clients.size,
    refuse(host, port, reason) {
      if (!revoked.signal.aborted) run.onRefused(host, port, reason);
    },
    follow({ host, port }, upstream) {
      if (revoked.signal.aborted) {
        upstream.destroy();
        return;
      }
      upstreams.set(upstream, () => run.onConnected(host, port, upstream.bytesWritten, upstream.bytesRead));
      upstream.once("close", () => settle(upstream));
    },
    revoke() {
      if (revoked.signal.aborted) return;
      revoked.abort();
      // All connections are closed before listeners are called, so that an error in a listener can't keep a connection
      // alive.
      for (const client of clients) client.destroy();
      for (const upstream of upstreams.keys()) upstream.destroy();
      for (const upstream of [...upstreams.keys()]) settle(upstream);
    },
  };
}
