import { once } from "node:events";
import { connect, isIPv6, type Socket } from "node:net";
import type { EgressTarget } from "./parse-target.ts";

const ATTEMPT_MS = 500;

/** Connects to the first of the vetted addresses that answers, both families in turn. Rejects when none does. */
export async function dialHost(
  target: EgressTarget,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const vetted = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first] = vetted;
  const socket = connect({
    // With one address the resolver is not called; with several it returns this list.
    host: vetted.length === 1 && first !== undefined ? first.address : target.host,
    port: target.port,
    lookup: (_hostname, _options, callback) => callback(null, vetted),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    allowHalfOpen: true,
    noDelay: true,
  });
  try {
    await once(socket, "connect", { signal });
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  }
  // The next user of the socket listens for its end; an error in between must not end the process.
  socket.on("error", () => {});
  return socket;
}
