import { DrydockError, type ErrorInfo, type ProcessState } from "@drydock/protocol";
import type { Plugin } from "../plugins/plugin.ts";
import type { ProgramRequest } from "../ports.ts";
import { type PluginProcess, startPluginProcess } from "./plugin-process.ts";

export interface SupervisorOptions {
  version: string;
  runProgram(request: ProgramRequest): Promise<ErrorInfo | null>;
  onWarning(text: string): void;
  startMs?: number;
  idleMs?: number;
  heartbeatMs?: number;
  firstDelayMs?: number;
  /** A process gets no new runs after this long: the sandbox would end it in the middle of one. */
  lifeMs?: number;
  now?: () => number;
}

/** Processes of plugins: started with their first run, watched, stopped when nobody needs them. */
export interface Supervisor {
  /** A process of the plugin that can take a run. Rejects with `runner.unavailable` while one that failed has to wait. */
  acquire(plugin: Plugin): Promise<PluginProcess>;
  /** Gives no more runs to this process; it ends when its runs have. */
  retire(process: PluginProcess): void;
  list(): ProcessState[];
  close(): Promise<void>;
}

const DEFAULTS = { startMs: 10_000, idleMs: 60_000, heartbeatMs: 10_000, firstDelayMs: 200 };
const MAX_DELAY_MS = 30_000;
const RETIRED_CHECK_MS = 100;
/** A process that was asked to go and still has runs is ended after this long. */
const RETIRED_MS = 30_000;

interface Slot {
  starting: Promise<PluginProcess> | null;
  ready: PluginProcess | null;
  failures: number;
  retryAtMs: number;
  reason: DrydockError | null;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { startMs, idleMs, heartbeatMs, firstDelayMs } = { ...DEFAULTS, ...options };
  const now = options.now ?? Date.now;
  const slots = new Map<string, Slot>();
  const retired = new Set<Promise<void>>();
  let isClosed = false;

  const start = async (plugin: Plugin, slot: Slot): Promise<PluginProcess> => {
    try {
      const process = await startPluginProcess({
        ...{ plugin, version: options.version, startMs, runProgram: options.runProgram },
        onRefused: options.onWarning,
      });
      for (const warning of process.warnings) options.onWarning(warning);
      slot.ready = process;
      slot.failures = 0;
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

  /** Until the process ends: whether it still answers, and whether anybody still needs it. */
  const watch = (process: PluginProcess, slot: Slot) => {
    let lastUsedMs = now();
    const life = options.lifeMs === undefined ? undefined : setTimeout(() => release(process, slot), options.lifeMs);
    life?.unref();
    const timer = setInterval(async () => {
      if (process.openRuns > 0) lastUsedMs = now();
      else if (now() - lastUsedMs >= idleMs) return release(process, slot);
      try {
        await process.ping(AbortSignal.timeout(heartbeatMs));
      } catch {
        options.onWarning(`${process.plugin.id} does not answer. Its process is ended.`);
        release(process, slot, 0);
      }
    }, heartbeatMs);
    timer.unref();
    void process.end.then(() => {
      clearInterval(timer);
      clearTimeout(life);
      if (slot.ready !== process) return;
      // It ended by itself: the next start waits a little, the one after that longer.
      slot.ready = null;
      slot.reason = process.ended();
      delay(slot);
    });
  };

  const release = (process: PluginProcess, slot: Slot, graceMs = RETIRED_MS) => {
    if (slot.ready === process) slot.ready = null;
    const stopped = waitForRuns(process, graceMs).then(() => process.stop());
    retired.add(stopped);
    void stopped.finally(() => retired.delete(stopped));
  };

  return {
    async acquire(plugin) {
      if (isClosed) throw new DrydockError("runner.unavailable", "The host is closed.", "Open it again.");
      const slot = slots.get(plugin.id) ?? { starting: null, ready: null, failures: 0, retryAtMs: 0, reason: null };
      slots.set(plugin.id, slot);
      if (slot.ready && !slot.ready.ended()) return slot.ready;
      if (!slot.starting) {
        if (now() < slot.retryAtMs) throw unavailable(plugin, slot, now());
        slot.starting = start(plugin, slot);
      }
      return slot.starting;
    },
    retire(process) {
      const slot = slots.get(process.plugin.id);
      if (slot) release(process, slot);
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

async function waitForRuns(process: PluginProcess, graceMs: number): Promise<void> {
  const endMs = performance.now() + graceMs;
  while (process.openRuns > 0 && performance.now() < endMs && !process.ended())
    await new Promise((resolve) => setTimeout(resolve, RETIRED_CHECK_MS).unref());
}

function unavailable({ id }: Plugin, { reason, retryAtMs, failures }: Slot, nowMs: number): DrydockError {
  const waitMs = Math.max(0, retryAtMs - nowMs);
  const why = reason ? ` ${reason.message}` : "";
  const message = `The plugin ${id} can't be used: it failed ${failures === 1 ? "once" : `${failures} times`}.${why}`;
  const hint = `The next start is tried in ${Math.ceil(waitMs / 1000)} s. Check the plugin with \`drydock plugin lint\`.`;
  return new DrydockError("runner.unavailable", message, hint, { plugin: id, retryInMs: waitMs }, reason ?? undefined);
}
