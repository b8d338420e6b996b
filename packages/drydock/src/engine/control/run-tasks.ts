import { setTimeout as delay } from "node:timers/promises";
import { type Plan, TaskEnded } from "@drydock/protocol";
import { type EngineContext, RunPaused } from "../engine-context.ts";
import { addTask, cancelHopeless, type RunningTask, record, resetStale, resetTask, retryTask } from "./change-tasks.ts";
import { type Combined, combineResults, type TaskResult } from "./combine-results.ts";
import { endingOf, runPlanTask } from "./run-plan-task.ts";
import { createTaskBoard, type TaskBoard, type TaskState, taskKey } from "./task-board.ts";
import { watchStale } from "./watch-stale.ts";

/** What somebody asks of the run while it is under way. */
export type ControlRequest = { kind: "pause" } | { kind: "retry"; task: string } | { kind: "add"; task: unknown };

export interface ControlPorts {
  /** Requests since the last poll. */
  takeRequests(): Promise<ControlRequest[]>;
}

export interface TasksOutcome {
  board: TaskBoard;
  results: ReadonlyMap<string, TaskResult>;
  combined: Combined | null;
}

const LOOK_MS = 250;

/**
 * Carries out the tasks of a plan in the order of their dependencies, as many at once as the settings allow, and puts
 * their results together. The journal alone holds the state of each task, so a stopped run continues from there.
 */
export async function runTasks(context: EngineContext, plan: Plan, control: ControlPorts): Promise<TasksOutcome> {
  const board = createTaskBoard(plan, context.journal.events(), context.settings.required);
  const results = readResults(context, board);
  for (;;) {
    await settleTasks(context, plan, board, results, control);
    if (!board.states().every((state) => state.status === "done")) return { board, results, combined: null };
    const combined = await combineResults(context, board.tasks, [...board.tasks.keys()], results);
    if (combined.ok || board.get(combined.task).conflict) return { board, results, combined };
    // Somebody else's result has taken its place: it is done again on top of the others.
    await resetTask(
      context,
      board,
      results,
      combined.task,
      "Its changes conflict with those of other tasks.",
      combined.conflicts,
    );
    for (const id of board.dependents(combined.task)) {
      await resetTask(context, board, results, id, `It depends on ${combined.task}.`);
    }
  }
}

/** What was proved before the run was stopped. */
function readResults({ journal }: EngineContext, board: TaskBoard): Map<string, TaskResult> {
  const results = new Map<string, TaskResult>();
  for (const state of board.states()) {
    const ended = state.status === "done" ? journal.find("task.done", taskKey(state)) : undefined;
    const { layer } = ended ? TaskEnded.parse(ended.data) : { layer: null };
    if (layer !== null) results.set(state.task.id, { base: null, layer });
  }
  for (const [id, result] of results) {
    const { task, round } = board.get(id);
    const kept = journal.find("attempt.started", `${taskKey({ task, round })}/a1`)?.data.base;
    const [need = ""] = task.dependsOn;
    result.base = typeof kept === "string" ? kept : (results.get(need)?.layer ?? null);
  }
  return results;
}

async function settleTasks(
  context: EngineContext,
  plan: Plan,
  board: TaskBoard,
  results: Map<string, TaskResult>,
  control: ControlPorts,
): Promise<void> {
  const running = new Map<string, RunningTask>();
  const failures: unknown[] = [];
  let pausing: RunPaused | undefined;
  const checkpoint = () => {
    if (pausing) throw pausing;
    context.checkpoint();
  };
  const stale = watchStale(context, board, async (id) => {
    if (!context.settings.staleAutoReset) {
      pausing ??= new RunPaused(`Task ${id} is stale: nothing has moved for ${context.settings.staleSeconds} s.`, {
        stale: id,
      });
    }
    running.get(id)?.stop.abort(new RunPaused("stale"));
    await running.get(id)?.done;
    if (context.settings.staleAutoReset) await resetStale(context, board, results, id);
  });
  const start = (state: TaskState) => {
    const id = state.task.id;
    const stop = new AbortController();
    const own = { ...context, checkpoint, signal: AbortSignal.any([context.signal, stop.signal]) };
    const done = runOne(own, plan, board, results, state).catch((error: unknown) => {
      if (!stop.signal.aborted && !(error instanceof RunPaused)) failures.push(error);
    });
    running.set(id, { done: done.finally(() => running.delete(id)), stop });
  };
  try {
    for (;;) {
      for (const request of await control.takeRequests()) {
        if (request.kind === "pause") pausing ??= new RunPaused("A pause was requested.");
        else if (request.kind === "retry") await retryTask(context, board, results, request.task, running);
        else await addTask(context, board, request.task);
      }
      if (failures.length > 0 || context.signal.aborted) break;
      await stale.look();
      await cancelHopeless(context, board);
      if (!pausing) {
        const room = context.settings.concurrency - running.size;
        for (const state of findReady(board, running).slice(0, Math.max(0, room))) start(state);
      }
      if (running.size === 0) break;
      await Promise.race([
        ...Array.from(running.values(), ({ done }) => done),
        delay(LOOK_MS, undefined, { signal: context.signal }).catch(() => {}),
      ]);
    }
  } finally {
    for (const { stop } of running.values()) if (failures.length > 0) stop.abort();
    await Promise.all(Array.from(running.values(), ({ done }) => done));
  }
  if (failures.length > 0) throw failures[0];
  context.signal.throwIfAborted();
  if (pausing) throw pausing;
}

async function runOne(
  context: EngineContext,
  plan: Plan,
  board: TaskBoard,
  results: Map<string, TaskResult>,
  state: TaskState,
): Promise<void> {
  const { task } = state;
  const base = await combineResults(context, board.tasks, task.dependsOn, results);
  if (!base.ok) {
    const reason = `The results of ${task.dependsOn.join(", ")} can't be put together: ${base.conflicts.join(", ")}.`;
    const data = {
      key: taskKey(state),
      task: task.id,
      attempts: 0,
      code: "conflict",
      reason,
      layer: null,
      treeHash: null,
    };
    await record(context, board, "task.failed", taskKey(state), data);
    return;
  }
  const others = state.conflict ? await combineOthers(context, board, results, task.id) : base;
  const onto = others.ok ? others.layer : base.layer;
  board.take({ type: "task.started", data: { task: task.id } });
  // A base that combines several tasks is not in their records, so it is kept here.
  const isMixed = state.conflict !== undefined || task.dependsOn.length > 1;
  const keptBase = isMixed && onto ? await context.layers.keep(onto) : null;
  const options = {
    goal: plan.goal,
    task,
    guarded: board.checks(),
    // The result of one task among several is not yet what people's checks are about.
    required: board.tasks.size === 1 ? context.settings.required : [],
    key: taskKey(state),
    base: onto,
    keptBase,
    on: task.dependsOn,
    conflict: state.conflict,
  };
  const ended = await runPlanTask(context, options);
  const before = keptBase ?? results.get(task.dependsOn[0] ?? "")?.layer ?? null;
  if (ended.layer !== null) results.set(task.id, { base: before, layer: ended.layer });
  board.take({ type: endingOf(ended.code), data: { ...ended } });
}

/** What all others proved, for a task that has to fit to it. */
function combineOthers(
  context: EngineContext,
  board: TaskBoard,
  results: ReadonlyMap<string, TaskResult>,
  id: string,
): Promise<Combined> {
  const after = new Set([id, ...board.dependents(id)]);
  const others = [...board.tasks.keys()].filter((other) => !after.has(other) && results.has(other));
  return combineResults(context, board.tasks, others, results);
}

function findReady(board: TaskBoard, running: ReadonlyMap<string, unknown>): TaskState[] {
  return board
    .states()
    .filter(({ status, task }) => ["todo", "doing", "stale"].includes(status) && !running.has(task.id))
    .filter(({ task }) => task.dependsOn.every((id) => board.get(id).status === "done"));
}
