import { networkInterfaces } from "node:os";
import { isLoopbackAddress } from "./address-scope.ts";
import type { ResolveHost } from "./decide-target.ts";
import { canonicalAddress } from "./parse-target.ts";

/** A server that Drydock itself works with, such as the one of its ledger. */
export interface OwnServer {
  host: string;
  port: number;
}

export type IsOwnServer = (addresses: readonly string[], port: number) => Promise<boolean>;

/** Whether one of the addresses is that of such a server, by whatever name the run asked for it: all of this machine's are one. */
export function createOwnServers(servers: readonly OwnServer[], resolveHost: ResolveHost): IsOwnServer {
  return async (addresses, port) => {
    for (const server of servers) {
      if (server.port !== port) continue;
      // Asked each time: the name may be pointed elsewhere. Who can't resolve it can't rule it out.
      const found = await resolveHost(server.host).catch(() => addresses);
      const known = found.map(canonicalAddress);
      if (addresses.some((address) => known.includes(address))) return true;
      if (addresses.some(isHere) && known.some((address) => address !== null && isHere(address))) return true;
    }
    return false;
  };
}

function isHere(address: string): boolean {
  if (isLoopbackAddress(address) || address === "0.0.0.0" || address === "::") return true;
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => canonicalAddress(entry.address) === address),
  );
}
