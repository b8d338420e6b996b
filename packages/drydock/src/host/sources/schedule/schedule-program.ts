import type { SendResult } from "@drydock/protocol";
import type * as z from "zod";
import type { SourceContext, SourceEvent, SourceProgram } from "../adapter.ts";
import { findTimes, type Times } from "./find-times.ts";
import type { ScheduleSettings } from "./schedule-type.ts";

type Settings = z.output<typeof ScheduleSettings>;
type Context = SourceContext<Settings>;

/** Up to which time everything was fired or left out. */
const MARK = "fired-until";
const MOST_MISSED = 100;
/** So late is not missed: a server that took over from another one, or was busy. */
const LATE_MS = 60_000;
/** A timer is set for this long at most: clocks are set, and machines sleep. */
const LONGEST_MS = 30_000;
const FIRED = "schedule.fired";

/*
 * The record knows up to when everything was seen to. Each time has an id of its own, so that it fires once, whoever runs
 * the schedule and however often: also where a server goes down between the event and the mark.
 */
export const scheduleProgram: SourceProgram<Settings> = {
  check(settings) {
    findTimes(settings);
  },
  async start(context) {
    const times = findTimes(context.settings);
    context.run(() => fireForEver(context, times));
    return { async stop() {} };
  },
  async test(context) {
    const times = findTimes(context.settings);
    const at = new Date(context.now());
    const { eventId, done } = await context.emit(
      toEvent(context, at.getTime(), { test: true, id: `test ${at.toISOString()}` }),
    );
    const result = await done;
    const next = times.next(at.getTime());
    const then = next === null ? "It does not fire any more." : `The next time is ${new Date(next).toISOString()}.`;
    return `It fired once: ${eventId} ${describeResult(result)} ${then}`;
  },
};

/** That an agent failed is no fault of the schedule, and has to be told all the same. */
function describeResult(result: SendResult | null): string {
  if (result === null) return "could not be handled.";
  if (result.kind !== "answered") return `was ${result.kind}.`;
  const { runId, ok, error } = result;
  if (ok) return `was answered by ${runId}.`;
  return `was taken by ${runId}, which failed: ${error?.message ?? "it does not say why."}`;
}

async function fireForEver(context: Context, times: Times): Promise<void> {
  const { signal, now, values, changedAtMs } = context;
  let running: Promise<unknown> | null = null;
  for (;;) {
    // It begins when it is created, changed or switched on: what it would have fired before is not missed.
    const mark = Math.max(changedAtMs, Number(await values.get(MARK)));
    const nowMs = now();
    // A clock that was set back must not fire again what has fired.
    const fired = chooseTimes(context.settings, times, mark, nowMs);
    for (const { at, ...facts } of fired) {
      if (signal.aborted) return;
      if (running !== null && context.settings.overlap === "skip") {
        context.report(`${new Date(at).toISOString()} was left out: the run before is still under way.`);
        continue;
      }
      const { done } = await context.emit(toEvent(context, at, facts));
      context.report(null);
      const ended: Promise<unknown> = done.then(() => {
        if (running === ended) running = null;
      });
      running = ended;
      // What was missed is caught up in order, one after the other.
      if (facts.missed > 0) await ended;
    }
    if (nowMs > mark) await values.set(MARK, String(nowMs));
    const next = times.next(Math.max(nowMs, mark));
    const waitMs = next === null ? LONGEST_MS : Math.min(LONGEST_MS, Math.max(0, next - now()));
    if (!(await wait(waitMs, signal))) return;
  }
}

interface Firing {
  at: number;
  /** How many times it stands for that were missed. */
  missed: number;
  /** There were more than are caught up. */
  more_missed?: boolean;
}

/** The times that fire now. */
function chooseTimes(
  { missed: policy }: Pick<Settings, "missed">,
  times: Times,
  mark: number,
  nowMs: number,
): Firing[] {
  const recent = times.between(Math.max(mark, nowMs - LATE_MS), nowMs, MOST_MISSED);
  const due = recent.times.map((at) => ({ at, missed: 0 }));
  const earlier = times.between(mark, nowMs - LATE_MS, policy === "all" ? MOST_MISSED : MOST_MISSED * 10);
  const last = earlier.times.at(-1);
  if (policy === "skip" || last === undefined) return due;
  const more = earlier.isMore ? { more_missed: true } : {};
  if (policy === "once") return [{ at: last, missed: earlier.times.length, ...more }, ...due];
  return [...earlier.times.map((at) => ({ at, missed: 1, ...(at === last && more) })), ...due];
}

function toEvent(
  { settings: { text, conversation, cron, timezone }, now }: Pick<Context, "settings" | "now">,
  at: number,
  { id, ...facts }: Partial<Omit<Firing, "at">> & { id?: string; test?: boolean },
): SourceEvent {
  const scheduledAt = new Date(at).toISOString();
  return {
    ...{ id: id ?? scheduledAt, type: FIRED, time: now() / 1000 },
    ...(text !== undefined && { text }),
    ...(conversation !== undefined && { conversation: { conversation_id: conversation } }),
    data: { scheduled_at: scheduledAt, cron, timezone, ...facts },
  };
}

/** False where the schedule is to end. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const timer = setTimeout(() => end(true), ms);
    const leave = () => end(false);
    const end = (goesOn: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      resolve(goesOn);
    };
    signal.addEventListener("abort", leave, { once: true });
  });
}
