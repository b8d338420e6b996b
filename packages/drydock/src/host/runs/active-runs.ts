import type { SteeringItem } from "@drydock/protocol/runner";
import type { StoredEvent } from "../../ledger/index.ts";
import { createConversationGate } from "./conversation-gate.ts";
import type { SteeringQueue } from "./steering-queue.ts";

export interface ActiveRun {
  runId: string;
  runnerId: string;
  conversation: string | null;
  /** Whether its runner pulls messages that arrive during a run. */
  takesSteering: boolean;
  steering: SteeringQueue;
  cancel(): void;
  /** Stops what the run waits for, because of a message that can't wait. */
  preempt(eventId: string): Promise<void>;
  onQueued(fact: StoredEvent): Promise<void>;
}

export interface ActiveRuns {
  add(run: ActiveRun): void;
  remove(runId: string): void;
  /** Gives a message to the run of its conversation that is under way. Null where there is none that takes it. */
  offer(fact: StoredEvent, where: { conversation: string | null; runnerId: string }): string | null;
  /** Runs of one agent in one conversation follow each other; all others run at the same time. */
  inTurn<T>(conversation: string | null, runnerId: string, work: () => Promise<T>): Promise<T>;
  /** Whether an event would have to wait for the run before it. */
  isBusy(conversation: string | null, runnerId: string): boolean;
  /** Aborts when the host closes. */
  readonly closing: AbortSignal;
  cancelAll(): void;
  /** Handles an event of a conversation. One that comes while the conversation is cleared waits for that. */
  handle<T>(conversation: string | null, work: () => Promise<T>): Promise<T>;
  /**
   * Cancels what is under way or waits in a conversation, and does the work when nothing is left of it. False: something has come
   * in between, and all of it is done again. Events that come meanwhile are handled afterwards.
   */
  clear(conversation: string, work: () => Promise<boolean>): Promise<void>;
  settle(): Promise<void>;
}

export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, ActiveRun>();
  const turns = new Map<string, Promise<unknown>>();
  const working = new Set<Promise<unknown>>();
  const gate = createConversationGate();
  const turnOf = (conversation: string | null, runnerId: string) =>
    conversation === null ? null : `${conversation} ${runnerId}`;
  const findTurn = (conversation: string) =>
    [...turns].find(([key]) => key.startsWith(`${conversation} `))?.[1] ?? gate.findHandled(conversation);
  const empty = async (conversation: string) => {
    for (const run of runs.values()) if (run.conversation === conversation) run.cancel();
    // Looked up anew each time: a message that was there already adds a turn behind the one that is waited for.
    for (let turn = findTurn(conversation); turn; turn = findTurn(conversation)) await turn;
  };
  const closing = new AbortController();
  return {
    closing: closing.signal,
    add(run) {
      runs.set(run.runId, run);
      if (run.conversation !== null && gate.isClosed(run.conversation)) run.cancel();
    },
    remove: (runId) => runs.delete(runId),
    offer(fact, { conversation, runnerId }) {
      if (conversation === null || fact.event.type !== "message.received") return null;
      for (const run of runs.values()) {
        if (run.conversation !== conversation || run.runnerId !== runnerId || !run.takesSteering) continue;
        if (!run.steering.offer(toSteeringItem(fact, run))) continue;
        void run.onQueued(fact);
        if (fact.event.preempt) void run.preempt(fact.id);
        return run.runId;
      }
      return null;
    },
    inTurn(conversation, runnerId, work) {
      const key = turnOf(conversation, runnerId);
      const before = key === null ? undefined : turns.get(key);
      const turn = before ? before.then(work, work) : work();
      const settled = turn.catch(() => {});
      working.add(settled);
      if (key !== null) turns.set(key, settled);
      void settled.then(() => {
        working.delete(settled);
        if (key !== null && turns.get(key) === settled) turns.delete(key);
      });
      return turn;
    },
    cancelAll() {
      closing.abort();
      for (const run of runs.values()) run.cancel();
    },
    isBusy: (conversation, runnerId) => turns.has(turnOf(conversation, runnerId) ?? ""),
    handle: gate.handle,
    clear: (conversation, work) => gate.clear(conversation, () => empty(conversation), work),
    async settle() {
      await Promise.all(working);
    },
  };
}

function toSteeringItem({ id, event }: StoredEvent, { runId, runnerId }: ActiveRun): SteeringItem {
  const { type, source, time, source_event_type, data, conversation, actor, subject, input } = event;
  return {
    ...{ claimed_run_id: runId, runner_id: runnerId, claimed_at: Math.floor(Date.now() / 1000) },
    event: {
      ...{ event_id: id, event_type: type, event_time: time ?? null, source },
      ...{ source_event_type: source_event_type ?? null, raw_ref: null, data },
    },
    input: { text: input.text ?? null, contents: input.contents, attachments: [] },
    conversation: conversation ?? null,
    actor: actor ?? null,
    subject: subject ?? null,
    metadata: { steering: { status: "queued", claimed_by_run_id: runId, source_event_id: id } },
  };
}
