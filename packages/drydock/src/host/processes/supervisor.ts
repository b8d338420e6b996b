import { DrydockError, type ProcessState } from "@drydock/protocol";
import { untilAborted } from "../../base/waiting/index.ts";
import type { OpenLink } from "../channel/link.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { Notice } from "../warnings.ts";
import { createLeases, type Lease } from "./leases.ts";
import { type PluginProcess, RETURN_MS, startPluginProcess } from "./plugin-process.ts";
import { type Slot, tooMany, unavailable } from "./slot.ts";
import { watchProcess } from "./watch-process.ts";

export interface SupervisorOptions {
  version: string;
  /** How a process of the plugin is reached; it starts one where that is needed. */
  openLink(plugin: Plugin): OpenLink;
  /** The plugin as it is now; null where it was removed. */
  findPlugin(id: string): Promise<Plugin | null>;
  onWarning(notice: Notice): void;
  onLog?(plugin: string, text: string): void;
  startMs?: number;
  /** A runner has this long to return after the end of its run. */
  returnMs?: number;
  idleMs?: number;
  heartbeatMs?: number;
  firstDelayMs?: number;
  /** A process that nobody else can start, and that was asked to go, is ended after this long: the next one can't begin before. */
  graceMs?: number;
  /** So many processes at once. */
  maxProcesses?: number;
  /** A process gets no new runs after this long: the sandbox would end it in the middle of one. */
  lifeMs?: number;
  /** The same for what it has written. */
  lifeChars?: number;
  now?: () => number;
}

/*
 * none ──acquire──► starting ──► ready ──► none       stopped: idle, changed, removed, or too old for new runs
 *                      │           └─────► waiting    it ended by itself, or did not answer
 *                      └─────────────────► waiting    it did not start; after a delay that grows, `acquire` starts it again
 */
export interface Supervisor {
  /**
   * A process of the plugin that can take a run. It is kept for the caller until its lease is released. Rejects with
   * `runner.unavailable` where one that failed has to wait for long.
   */
  acquire(plugin: Plugin, signal?: AbortSignal): Promise<Lease>;
  /** Gives no more runs to this process; it ends when its runs have. */
  retire(process: PluginProcess): void;
  /** A run on it went well: what failed before does not count any more. */
  confirm(process: PluginProcess): void;
  /** Looks whether plugins were removed or changed, and lets their processes go. */
  refresh(): void;
  list(): ProcessState[];
  close(): Promise<void>;
}

const DEFAULTS = {
  startMs: 10_000,
  returnMs: RETURN_MS,
  idleMs: 60_000,
  heartbeatMs: 10_000,
  firstDelayMs: 200,
  maxProcesses: 64,
  graceMs: 30_000,
};
const MAX_DELAY_MS = 30_000;
/** Whoever needs a process waits for a delay of this length, and is refused where it is longer. */
const PATIENCE_MS = 5000;
const RETIRED_CHECK_MS = 100;
/** A process with so many runs that do not return gets no new ones, however busy it is. */
const MAX_HUNG_RUNS = 16;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { startMs, returnMs, idleMs, heartbeatMs, firstDelayMs, maxProcesses, graceMs } = { ...DEFAULTS, ...options };
  const now = options.now ?? Date.now;
  const slots = new Map<string, Slot>();
  const retired = new Set<Promise<void>>();
  const { take, isInUse } = createLeases();
  const isNeeded = (process: PluginProcess, slot: Slot) => slot.waiting > 0 || isInUse(process);
  let isClosed = false;

  const start = async (plugin: Plugin, slot: Slot): Promise<PluginProcess> => {
    try {
      const process = await startPluginProcess({
        ...{
          plugin,
          version: options.version,
          startMs,
          returnMs,
          openLink: options.openLink(plugin),
        },
        onRefused: options.onWarning,
        onLog: (text) => options.onLog?.(plugin.id, text),
      });
      const [first, ...others] = process.warnings;
      // One for each start: a plugin chooses how many runners it names, and how they are called.
      const more =
        others.length === 0
          ? ""
          : ` ${others.length} more of its runners can't be used: \`drydock plugin lint\` says why.`;
      if (first !== undefined) options.onWarning({ kind: "fault", source: plugin.id, text: `${first}${more}` });
      slot.ready = process;
      slot.lastUsedMs = now();
      watch(process, slot);
      return process;
    } catch (error) {
      slot.reason = error instanceof DrydockError ? error : null;
      delay(slot);
      throw unavailable(plugin, slot, now());
    } finally {
      slot.starting = null;
    }
  };

  const delay = (slot: Slot) => {
    slot.retryAtMs = now() + Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** slot.failures++);
  };

  /** The process that nobody has used for longest goes, where there are as many as there may be. */
  const makeRoom = () => {
    const used = [...slots.values()].filter(({ ready, starting }) => ready || starting);
    if (used.length < maxProcesses) return;
    const [idle] = used
      .filter((slot) => slot.ready && !isNeeded(slot.ready, slot))
      .sort((one, other) => one.lastUsedMs - other.lastUsedMs);
    if (!idle?.ready) throw tooMany(maxProcesses);
    release(idle.ready, idle);
  };

  /** While plugins can't be looked up, such as with a `config.yaml` that is not valid, a process stays as it is. */
  const isCurrent = async ({ id, fingerprint }: Plugin): Promise<boolean> => {
    try {
      return (await options.findPlugin(id))?.fingerprint === fingerprint;
    } catch {
      return true;
    }
  };

  const watch = (process: PluginProcess, slot: Slot) => {
    const { lifeMs } = options;
    watchProcess(process, {
      ...{ heartbeatMs, lifeMs },
      isIdle() {
        if (isNeeded(process, slot)) slot.lastUsedMs = now();
        return now() - slot.lastUsedMs >= idleMs;
      },
      isCurrent: () => isCurrent(process.plugin),
      onDone: () => release(process, slot),
      onSilent() {
        const source = process.plugin.id;
        options.onWarning({ kind: "fault", source, text: `${source} does not answer. Its process is ended.` });
        void process.kill(`It did not answer "ping" within ${heartbeatMs / 1000} s.`);
      },
    });
    void process.end.then(() => {
      if (slot.ready !== process) return;
      // It ended by itself: the next start waits a little, the one after that longer.
      slot.ready = null;
      slot.reason = process.ended();
      delay(slot);
    });
  };

  const release = (process: PluginProcess, slot: Slot) => {
    if (slot.ready === process) slot.ready = null;
    // Its runs end at their deadlines at the latest.
    const mostMs = process.plugin.isExclusive ? graceMs : Number.POSITIVE_INFINITY;
    const isOver = () => isClosed || !isNeeded(process, slot) || process.ended() !== null;
    const stopped = waitUntil(isOver, mostMs).then(() => process.stop());
    retired.add(stopped);
    slot.leaving = stopped;
    void stopped.finally(() => {
      retired.delete(stopped);
      if (slot.leaving === stopped) slot.leaving = null;
    });
  };

  /** The process that is there, where it can take one more run. */
  const findReady = (plugin: Plugin, slot: Slot): Lease | null => {
    const { ready } = slot;
    if (!ready || ready.ended()) return null;
    const isSpent = options.lifeChars !== undefined && ready.receivedChars > options.lifeChars;
    const isHung = ready.hungRuns >= (isNeeded(ready, slot) ? MAX_HUNG_RUNS : 1);
    if (ready.plugin.fingerprint === plugin.fingerprint && !isSpent && !isHung) {
      slot.lastUsedMs = now();
      return take(ready);
    }
    release(ready, slot);
    return null;
  };

  /** Nobody comes in between the start and those who wait for it. */
  const claim = async (slot: Slot, starting: Promise<PluginProcess>): Promise<Lease> => {
    slot.waiting++;
    try {
      return take(await starting);
    } finally {
      slot.waiting--;
    }
  };

  const slotOf = (plugin: Plugin): Slot => {
    const { fingerprint } = plugin;
    const known = slots.get(plugin.id);
    const fresh = { fingerprint, lastUsedMs: 0, failures: 0, retryAtMs: 0, reason: null };
    const slot = known ?? { starting: null, waiting: 0, ready: null, leaving: null, ...fresh };
    if (slot.fingerprint !== fingerprint) Object.assign(slot, fresh);
    slots.set(plugin.id, slot);
    return slot;
  };

  return {
    async acquire(plugin, signal) {
      const slot = slotOf(plugin);
      const giveUpMs = now() + PATIENCE_MS;
      for (;;) {
        if (isClosed) throw new DrydockError("runner.unavailable", "The host is closed.", "Open it again.");
        const ready = findReady(plugin, slot);
        if (ready) return ready;
        if (slot.starting) return claim(slot, slot.starting);
        if (plugin.isExclusive && slot.leaving) {
          await untilAborted(slot.leaving, signal ?? new AbortController().signal);
          continue;
        }
        const waitMs = slot.retryAtMs - now();
        if (waitMs <= 0) {
          makeRoom();
          slot.starting = start(plugin, slot);
          return claim(slot, slot.starting);
        }
        if (slot.retryAtMs > giveUpMs) throw unavailable(plugin, slot, now());
        await sleep(waitMs, signal);
      }
    },
    retire(process) {
      const slot = slots.get(process.plugin.id);
      if (slot) release(process, slot);
    },
    confirm(process) {
      const slot = slots.get(process.plugin.id);
      if (slot?.ready === process) slot.failures = 0;
    },
    refresh() {
      for (const slot of slots.values()) {
        const { ready } = slot;
        if (!ready) continue;
        void isCurrent(ready.plugin).then((isStillCurrent) => {
          if (!isStillCurrent && slot.ready === ready) release(ready, slot);
        });
      }
    },
    list: () =>
      [...slots].flatMap(([plugin, { ready, starting, reason, retryAtMs }]): ProcessState[] => {
        const idle = { plugin, openRuns: 0, problem: null, retryInMs: 0 };
        if (ready) return [{ ...idle, state: "ready", openRuns: ready.openRuns }];
        if (starting) return [{ ...idle, state: "starting" }];
        const retryInMs = Math.max(0, Math.round(retryAtMs - now()));
        return reason ? [{ ...idle, state: "waiting", problem: reason.message, retryInMs }] : [];
      }),
    async close() {
      isClosed = true;
      await Promise.allSettled([...slots.values()].map(({ starting }) => starting));
      await Promise.allSettled([...slots.values()].map(({ ready }) => ready?.stop()));
      await Promise.allSettled(retired);
    },
  };
}

async function waitUntil(isDone: () => boolean, graceMs: number): Promise<void> {
  const endMs = performance.now() + graceMs;
  while (!isDone() && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, RETIRED_CHECK_MS).unref());
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import("node:timers/promises");
  await wait(ms, undefined, { signal });
}
