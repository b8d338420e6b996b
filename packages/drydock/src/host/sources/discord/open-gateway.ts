import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type GatewayMessage, type GatewayOptions, STOP } from "./gateway-messages.ts";

/** How long a connection has to close as it should. */
const CLOSE_MS = 1500;
/** The source runs as it is; a build has the thread's program beside its other files. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "./gateway-worker.ts" : "./gateway-worker.js",
  import.meta.url,
);

export interface Gateway {
  /** Resolves when the thread is gone. What it told before has been heard then. */
  close(): Promise<void>;
}

export interface GatewayListeners {
  onMessage(message: GatewayMessage): void;
  /** The thread has ended by itself: the library met what it can't read. */
  onCrash(): void;
}

/** Starts the thread of a connection to Discord's gateway. */
export function openGateway(options: GatewayOptions, { onMessage, onCrash }: GatewayListeners): Gateway {
  const worker = new Worker(WORKER, { env: {}, workerData: options, stdout: true, stderr: true });
  let isClosing = false;
  worker.on("message", onMessage);
  // Whatever it was, its words may quote what was sent.
  worker.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      if (!isClosing) onCrash();
      resolve();
    });
  });
  return {
    async close() {
      isClosing = true;
      worker.postMessage(STOP);
      const late = new AbortController();
      const patience = sleep(CLOSE_MS, undefined, { signal: late.signal }).then(() => worker.terminate());
      await Promise.race([ended, patience.catch(() => {})]);
      late.abort();
      await ended;
    },
  };
}
