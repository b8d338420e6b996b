import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError } from "@drydock/protocol";
import type { StoredSource } from "../../ledger/index.ts";
import {
  type EmittedEvent,
  type SourceAdapter,
  type SourceContext,
  type SourceEvent,
  SourceRefused,
  type SourceType,
} from "./adapter.ts";
import type { SourcePorts } from "./ports.ts";
import { readSettings } from "./read-settings.ts";
import type { SourceTally } from "./source-tally.ts";

/*
 * starting ──► running ──► stopped          it was switched off or changed, or the server ends
 *    │            │
 *    └────────────┴─────► failed ──► starting     after a pause that grows; it is short again after a good while
 *                           │
 *                           └─ it was refused: it waits until something of it is changed
 */
export interface SupervisedSource {
  readonly type: SourceType;
  /** Null where it does not run. */
  adapter(): SourceAdapter | null;
  /** Takes nothing more. What was taken is still answered by `adapter`, until `stop`. */
  drain(): void;
  stop(): Promise<void>;
}

export interface SupervisedRequest {
  ports: Pick<SourcePorts, "readSecret" | "store" | "warnings" | "now">;
  stored: StoredSource;
  type: SourceType;
  tally: SourceTally;
  emit(event: SourceEvent): Promise<EmittedEvent>;
}

const START_MS = 60_000;
const STOP_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** After so long, the next failure is a new one. */
const GOOD_MS = 60_000;

export function superviseSource(request: SupervisedRequest): SupervisedSource {
  const { type, tally, ports } = request;
  const stopping = new AbortController();
  const draining = new AbortController();
  let adapter: SourceAdapter | null = null;

  /** One life of the source. Resolves when it was told to stop, rejects with what ended it. */
  const live = async (): Promise<void> => {
    const over = new AbortController();
    const fault = Promise.withResolvers<never>();
    fault.promise.catch(() => {});
    const signal = AbortSignal.any([over.signal, draining.signal, stopping.signal]);
    try {
      const context = await createContext(request, signal, fault.reject);
      const starting = type.load().then((program) => program.start(context));
      adapter = await within(starting, AbortSignal.any([AbortSignal.timeout(START_MS), stopping.signal]));
      tally.set({ state: "running" });
      await Promise.race([fault.promise, aborted(stopping.signal)]);
    } finally {
      over.abort();
      const last = adapter;
      adapter = null;
      await stopWithin(last);
    }
  };

  const supervise = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      tally.set({ state: "starting", problem: null });
      try {
        await live();
      } catch (error) {
        if (stopping.signal.aborted) break;
        const { message, hint } = explain(error);
        const isFinal = error instanceof SourceRefused;
        if (performance.now() - startedMs > GOOD_MS) pauseMs = FIRST_PAUSE_MS;
        const retryAt = isFinal ? null : new Date(ports.now() + pauseMs).toISOString();
        tally.set({ state: "failed", problem: message, hint, retryAt });
        if (isFinal) await aborted(stopping.signal);
        else await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  };
  const supervised = supervise();
  return {
    type,
    adapter: () => adapter,
    drain: () => draining.abort(),
    async stop() {
      stopping.abort();
      await supervised;
      tally.set({ state: "stopped" });
      await tally.save();
    },
  };
}

async function createContext(
  { ports, stored, type, tally, emit }: SupervisedRequest,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<SourceContext> {
  const { name } = stored.source;
  return {
    ...{ name, signal, now: ports.now, values: ports.store.values(stored.id) },
    settings: readSettings(type, stored.source.settings),
    changedAtMs: Date.parse(stored.changedAt),
    secrets: await readSecrets(ports, stored, type),
    async emit(event) {
      signal.throwIfAborted();
      return emit(event);
    },
    refuse(reason) {
      tally.countRefused();
      ports.warnings.note({ kind: "refused", source: name, text: reason });
    },
    report(problem) {
      if (!signal.aborted) tally.set({ state: "running", problem });
    },
    run(work) {
      work().catch((error: unknown) => {
        if (!signal.aborted) fail(error);
      });
    },
  };
}

/** The values of the secrets that the source names. A source that lacks one does not start. */
export async function readSecrets(
  { readSecret }: Pick<SourcePorts, "readSecret">,
  { source }: Pick<StoredSource, "source">,
  type: Pick<SourceType, "secrets">,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [field, { required }] of Object.entries(type.secrets)) {
    const name = source.secrets[field];
    const value = name === undefined ? null : await readSecret(name);
    if (value !== null) values[field] = value;
    else if (name !== undefined) throw secretGone(field, name);
    else if (required) throw secretMissing(source.name, field);
  }
  return values;
}

function secretGone(field: string, name: string): SourceRefused {
  return new SourceRefused(
    `The secret ${name}, which is its ${field}, is not in the owner's store.`,
    `Store it: \`drydock secret set ${name}\`.`,
  );
}

function secretMissing(source: string, field: string): SourceRefused {
  return new SourceRefused(
    `It names no secret for ${field}.`,
    `Store one with \`drydock secret set NAME\`, and name it: \`drydock source edit ${source} --secret ${field}=NAME\`.`,
  );
}

function explain(error: unknown): { message: string; hint: string | null } {
  if (error instanceof DrydockError || error instanceof SourceRefused) return error;
  if (error instanceof Error && error.name === "TimeoutError")
    return { message: `It did not start within ${START_MS / 1000} s.`, hint: null };
  return { message: error instanceof Error ? error.message : String(error), hint: null };
}

/** An adapter that comes too late is let go again. */
async function within(starting: Promise<SourceAdapter>, signal: AbortSignal): Promise<SourceAdapter> {
  let isLate = false;
  starting.then(
    (late) => (isLate ? stopWithin(late) : undefined),
    () => {},
  );
  try {
    return await Promise.race([starting, aborted(signal).then(() => Promise.reject(signal.reason))]);
  } catch (error) {
    isLate = true;
    throw error;
  }
}

/** One that does not stop, or fails at it, is left behind: the next one must not wait for it. */
async function stopWithin(adapter: SourceAdapter | null): Promise<void> {
  if (adapter) await Promise.race([adapter.stop().catch(() => {}), sleep(STOP_MS, undefined, { ref: false })]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
