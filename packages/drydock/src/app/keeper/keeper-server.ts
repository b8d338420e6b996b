import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setInterval } from "node:timers";
import type { Dock } from "../dock.ts";
import { openSocketAddress } from "./keeper-socket.ts";
import { serveConnection } from "./serve-connection.ts";

export interface KeeperServerOptions {
  /** How long a keeper without any session waits for its first client. */
  graceMs?: number;
  /** How often it looks whether sessions ended by idleness. */
  watchMs?: number;
}

export interface KeeperServer {
  /** Resolves when no session and no client is left, or after `stop`. Its socket is removed by then. */
  ended: Promise<void>;
  stop(): void;
}

/**
 * Serves the sessions of a dock on the home's socket. The caller holds the keeper's lock, so that a socket found there
 * is a dead keeper's. It ends as soon as there is neither a session nor a client; since a client sends nothing before
 * it was greeted, one that comes in that moment has lost nothing and starts the next keeper.
 */
export async function startKeeperServer(
  dock: Dock,
  { graceMs = 10_000, watchMs = 1000 }: KeeperServerOptions = {},
): Promise<KeeperServer> {
  const clients = new Set<Socket>();
  const address = openSocketAddress(dock.home);
  const waitsUntil = performance.now() + graceMs;
  const ended = Promise.withResolvers<void>();
  let met = false;
  let stopped = false;

  const server = createServer((socket) => {
    met = true;
    clients.add(socket);
    socket.on("close", () => {
      clients.delete(socket);
      stopIfUnused();
    });
    serveConnection(socket, dock);
  });

  function stop(): void {
    if (stopped) return;
    stopped = true;
    clearInterval(watch);
    rmSync(address.path, { force: true });
    server.close(() => {
      address.release();
      ended.resolve();
    });
    for (const socket of clients) socket.destroy();
  }

  function stopIfUnused(): void {
    const isWaiting = !met && performance.now() < waitsUntil;
    const isUnused = !isWaiting && dock.sessions.list().length === 0;
    // If the home was removed, its sessions can never be reached again.
    const isLost = !existsSync(address.path);
    if (clients.size === 0 && (isUnused || isLost)) stop();
  }

  try {
    rmSync(address.path, { force: true });
    await listenPrivately(server, address.path);
  } catch (error) {
    address.release();
    throw error;
  }
  const watch = setInterval(stopIfUnused, watchMs);
  return { ended: ended.promise, stop };
}

/**
 * Binding happens within the call, so that no other user can connect at any moment, and no other file gets that mode.
 */
function listenPrivately(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      chmodSync(path, 0o600);
      resolve();
    });
    const umask = process.umask(0o177);
    try {
      server.listen(path);
    } finally {
      process.umask(umask);
    }
  });
}
