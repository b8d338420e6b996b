import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import type { RunWatcher } from "../run-watcher.ts";

const CHANNEL = "drydock_events";
/** Between two attempts to connect; each next one waits twice as long, up to the last. */
const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 2000;
/** As long as there is no connection, followers look for themselves. */
const LOOK_MS = 250;
/** A connection through something that keeps messages back (a pooler of transactions) is not noticed otherwise. */
const SURELY_MS = 5000;
/** A server that does not answer keeps nobody from ending. */
const CLOSE_MS = 500;

/**
 * Messages of the server about new events (NOTIFY), on one connection for all runs that this process follows. It is made
 * with the first of them, and given up after the last. The states:
 *
 *   idle         nobody follows
 *   connecting   followers look by themselves every 250 ms
 *   listening    the server says which run has changed; every 5 s all look, in case nothing gets through
 *
 * A message may be lost with its connection. Whoever follows has a number up to which it has read, and is woken when the next
 * connection listens: it then reads what it has missed from the ledger, in order.
 */
export function createListener(config: ClientConfig): RunWatcher {
  const wakes = new Map<string, Set<() => void>>();
  const stopped = new AbortController();
  let connection: Connection | undefined;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;

  function wakeAll(): void {
    for (const each of wakes.values()) for (const wake of each) wake();
  }

  function look(): void {
    if (!connection?.isListening || ++looks % (SURELY_MS / LOOK_MS) === 0) wakeAll();
  }

  async function work(): Promise<void> {
    for (let waitMs = FIRST_WAIT_MS; isWanted(); waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)) {
      const begun = performance.now();
      connection = openConnection(config, (runId) => {
        for (const wake of wakes.get(runId) ?? []) wake();
      });
      // What was written before it listened.
      connection.listening.then(wakeAll, () => {});
      await connection.ended;
      connection = undefined;
      if (performance.now() - begun > LAST_WAIT_MS) waitMs = FIRST_WAIT_MS;
      if (isWanted()) await sleep(waitMs, undefined, { ref: false, signal: stopped.signal }).catch(() => {});
    }
    working = undefined;
  }

  const isWanted = () => wakes.size > 0 && !stopped.signal.aborted;

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
    connection?.end();
  }

  return {
    watch(runId, wake) {
      const those = wakes.get(runId) ?? new Set();
      those.add(wake);
      wakes.set(runId, those);
      if (isWanted()) {
        timer ??= setInterval(look, LOOK_MS).unref();
        working ??= work();
      }
      // Whatever was written since the caller looked.
      if (connection?.isListening) queueMicrotask(wake);
      return () => {
        those.delete(wake);
        if (those.size === 0 && wakes.get(runId) === those) wakes.delete(runId);
        if (wakes.size === 0) rest();
      };
    },
    async close() {
      wakes.clear();
      stopped.abort();
      rest();
      await Promise.race([working, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

interface Connection {
  readonly isListening: boolean;
  readonly listening: Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<void>;
  end(): void;
}

function openConnection(config: ClientConfig, onMessage: (runId: string) => void): Connection {
  const client = new Client(config);
  const ended = Promise.withResolvers<void>();
  let isListening = false;
  const leave = () => {
    isListening = false;
    ended.resolve();
    void client.end().catch(() => {});
  };
  client.on("error", leave);
  client.on("end", leave);
  client.on("notification", ({ payload = "" }) => onMessage(payload));
  async function listen(): Promise<void> {
    try {
      await client.connect();
      // Who only follows does not keep the process alive.
      (client as Client & { unref(): void }).unref();
      await client.query(`listen ${CHANNEL}`);
      isListening = true;
    } catch (error) {
      leave();
      throw error;
    }
  }
  return {
    get isListening() {
      return isListening;
    },
    listening: listen(),
    ended: ended.promise,
    end: leave,
  };
}
