import type { Run, WorkerState } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { type Boss, DEAD, LEASE_SECONDS, RUNS } from "../postgres/open-boss.ts";
import { ANYTHING, sendParked } from "../postgres/order-store.ts";
import { beat, forgetWorker, listSilent, type NewWorker } from "../postgres/worker-registry.ts";
import { buryJob } from "./bury-job.ts";
import { createHands, type Entry } from "./hands.ts";

/*
 * A worker fetches jobs as long as it has free slots, and claims the run of each in the ledger (`carry-job.ts`). Every second it
 * tells the engine that it still has its jobs, and the registry that it is there.
 *
 *   a job that the engine does not know as its own any more    its claim is over: the work is aborted, and can write no more
 *   nothing could be told for the lease                         all claims are over: others may have them by now
 *   stopped or killed                                           the engine notices within the lease, and another worker claims
 *
 * Whether a claim holds is never decided here: the run's row in the ledger does that, with each write.
 */

export interface WorkerPorts {
  boss: Boss;
  ledger: Ledger;
  /** Does what the run's record says, up to its end, or its next pause. Rejects where that could not be done here. */
  carryOut(run: Run, under: { signal: AbortSignal; isTakenOver: boolean }): Promise<void>;
  /** What an owner should know, in a sentence. */
  onNote?(text: string): void;
}

const BEAT_MS = 1000;
/** What a lost NOTIFY, a delay or a retry brings. */
const LOOK_MS = 500;
const RECONCILE_EVERY_BEATS = 5;
/** Longer than the lease, so that its claims are over by then. */
const GONE_SECONDS = LEASE_SECONDS + 5;

export async function openWorker(ports: WorkerPorts, worker: NewWorker) {
  const { boss } = ports;
  const hands = createHands(ports, worker.id, () => void pump());
  const { entries } = hands;
  const drained = Promise.withResolvers<void>();
  let state: WorkerState = await beat(boss.sql, worker, 0);
  let heardAt = performance.now();
  let beats = 0;
  let isDraining = false;
  let isPumping = false;
  let isClosed = false;

  async function pump(): Promise<void> {
    if (isPumping || isClosed) return;
    isPumping = true;
    try {
      for (let more = true; more && state === "active" && !isClosed; ) {
        const free = worker.slots - entries.size;
        if (free <= 0) return;
        const ignoreGroups = await listUnserved(boss, worker.offers);
        const jobs = await boss.engine.fetch<{ runId: string }>(RUNS, { batchSize: free, ignoreGroups });
        for (const job of jobs) hands.take(job);
        more = jobs.length === free;
      }
    } catch {
      // The database does not answer: the next look tries again.
    } finally {
      isPumping = false;
    }
    if (state === "draining" && entries.size === 0) drained.resolve();
  }

  async function tell(): Promise<void> {
    const held = [...entries.values()].filter(({ lost }) => !lost.signal.aborted);
    try {
      const kept = await touchJobs(boss, held);
      const told = await beat(boss.sql, worker, entries.size);
      state = isDraining ? "draining" : told;
      heardAt = performance.now();
      for (const entry of held) {
        const isOver = entries.get(entry.job.data.runId) !== entry;
        if (!kept.has(entry.job.id) && !isOver) hands.lose(entry, "the queue has given it to another worker.");
      }
      if (++beats % RECONCILE_EVERY_BEATS === 0) await reconcile(ports);
    } catch {
      if (performance.now() - heardAt < LEASE_SECONDS * 1000) return;
      for (const entry of held) hands.lose(entry, "the database could not be reached for the time of its lease.");
    }
  }

  const beating = repeat(tell, BEAT_MS);
  const looking = setInterval(() => void pump(), LOOK_MS);
  const stopListening = await boss.listen(() => void pump()).catch(() => async () => {});
  void pump();
  return {
    id: worker.id,
    drained: drained.promise,
    async drain() {
      isDraining = true;
      state = "draining";
      await hands.settle();
      drained.resolve();
    },
    async close() {
      isClosed = true;
      clearInterval(looking);
      for (const entry of entries.values()) hands.lose(entry, "the worker ends.");
      await hands.settle();
      clearInterval(beating);
      await stopListening().catch(() => {});
      await forgetWorker(boss.sql, worker.id).catch(() => {});
      drained.resolve();
    },
  };
}

/** The jobs that the engine still knows as this worker's, by id. */
async function touchJobs({ engine }: Boss, held: readonly Entry[]): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set();
  const jobs = held.map(({ job }) => ({ id: job.id, retryCount: job.retryCount }));
  const touched = await engine.touch(RUNS, jobs);
  // Without the ids it can't be told which job is gone: then the fence in the ledger has to do.
  const { settled = jobs.map(({ id }) => id) } = touched as { settled?: string[] };
  return new Set(settled);
}

/** One call after the other, never two at once. */
function repeat(act: () => Promise<void>, everyMs: number): NodeJS.Timeout {
  let isActing = false;
  return setInterval(() => {
    if (isActing) return;
    isActing = true;
    void act().finally(() => {
      isActing = false;
    });
  }, everyMs);
}

/** Sets of needs that this worker does not meet. There are few: one for each kind of run that was ever ordered. */
async function listUnserved(boss: Boss, offers: readonly string[]): Promise<string[]> {
  const rows = await boss.sql<{ name: string }>("select name from drydock_queue.needs");
  const offered = new Set(offers);
  return rows
    .map(({ name }) => name)
    .filter((name) => !name.split(" ").every((need) => need === ANYTHING || offered.has(need)));
}

/** What nobody else looks after: jobs that were given up, runs that wait for a place, and runs of workers that are gone. */
async function reconcile(ports: WorkerPorts): Promise<void> {
  const { boss, ledger } = ports;
  for (const job of await boss.engine.fetch<{ runId: string }>(DEAD, { batchSize: 10, includeMetadata: true })) {
    await buryJob(ports, job);
  }
  await sendParked(boss);
  const silent = await listSilent(boss.sql, GONE_SECONDS);
  if (silent.length === 0) return;
  const gone = new Set(silent.map(({ owner }) => `${owner.pid} ${owner.startTime} ${owner.host}`));
  await ledger.recover((owner) => gone.has(`${owner.pid} ${owner.startTime} ${owner.host}`));
  for (const { id } of silent) await forgetWorker(boss.sql, id);
}
