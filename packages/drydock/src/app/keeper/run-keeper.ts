import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError, type ErrorInfo } from "@drydock/protocol";
import type { Dock } from "../dock.ts";
import { connectKeeper } from "./connect-keeper.ts";
import { tryKeeperLock } from "./keeper-lock.ts";
import { type KeeperServerOptions, startKeeperServer } from "./keeper-server.ts";
import { toErrorInfo } from "./to-error-info.ts";

/** The only message of a keeper to the process that started it. */
export type KeeperAnnouncement = { ready: true } | { error: ErrorInfo };

export interface KeeperOptions extends KeeperServerOptions {
  home: string;
  openDock(home: string): Promise<Dock>;
  announce(announcement: KeeperAnnouncement): void;
  /** Stops the keeper, and with it its sessions. */
  signal: AbortSignal;
}

const LOCK_PATIENCE_MS = 15_000;
const LOCK_RETRY_MS = 20;

/**
 * The life of a keeper: take the home's lock, or make way for the keeper that has it; open a dock; serve until it is
 * not needed any more; close the dock; give up the lock. The starter is notified as soon as a keeper listens.
 */
export async function runKeeper({ home, openDock, announce, signal, ...server }: KeeperOptions): Promise<void> {
  let announced = false;
  const announceOnce = (announcement: KeeperAnnouncement) => {
    if (!announced) announce(announcement);
    announced = true;
  };
  try {
    using lock = await waitForLock(home);
    if (lock) await keepSessions(await openDock(home), server, signal, () => announceOnce({ ready: true }));
    announceOnce({ ready: true });
  } catch (error) {
    announceOnce({ error: toErrorInfo(error) });
  }
}

async function keepSessions(
  dock: Dock,
  options: KeeperServerOptions,
  signal: AbortSignal,
  onListening: () => void,
): Promise<void> {
  try {
    const server = await startKeeperServer(dock, options);
    signal.addEventListener("abort", () => server.stop(), { once: true });
    if (signal.aborted) server.stop();
    onListening();
    await server.ended;
  } finally {
    await dock.close();
  }
}

/** Null as soon as another keeper answers. One that is only starting or ending is waited for: it may yet make way. */
async function waitForLock(home: string): Promise<Disposable | null> {
  const givesUpAt = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const lock = tryKeeperLock(home);
    if (lock) return lock;
    const other = await connectKeeper(home);
    other?.disconnect();
    if (other) return null;
    if (performance.now() > givesUpAt) {
      const message = `Another keeper holds ${home}, but does not answer.`;
      throw new DrydockError("internal", message, "End the process that has keeper.lock open, then try again.");
    }
    await sleep(LOCK_RETRY_MS);
  }
}
