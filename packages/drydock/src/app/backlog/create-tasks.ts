import {
  DrydockError,
  explainIssues,
  hasEnded,
  type ListedTask,
  OPEN_STATUSES,
  type Plan,
  type PlanReview,
  PlanTask,
  type Run,
  type RunEvent,
  type TaskStatus,
} from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { Goals } from "../goals/api.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { Tasks } from "./api.ts";

export interface TasksPorts {
  ledger: Ledger;
  goals: Pick<Goals, "run">;
  /** Drydock's own directories. */
  own: readonly string[];
}

type BacklogTask = Awaited<ReturnType<Ledger["backlog"]["list"]>>[number];

const PAGE = 1000;

export function createTasks({ ledger, goals, own }: TasksPorts): Tasks {
  const { backlog } = ledger;
  return {
    async add(workspace, task) {
      return listBacklogTask(await backlog.add(resolveWorkspace(workspace, own), readTask(task)));
    },
    async list({ workspace } = {}) {
      const place = workspace === undefined ? undefined : resolveWorkspace(workspace, own);
      const open = await listOpenRuns(ledger, place);
      const planned = (await Promise.all(open.map((run) => listRunTasks(ledger, run)))).flat();
      const alone: ListedTask[] = [];
      for (const task of (await settleBacklog(ledger, place)).map(listBacklogTask)) {
        // A task that a run has is shown as that run sees it.
        const isPlanned = planned.some(
          ({ runId, id }) => task.status === "doing" && runId === task.runId && id === task.id,
        );
        if (!isPlanned) alone.push(task);
      }
      const added = new Set((await backlog.list(place)).map(({ runId, task }) => `${runId} ${task.id}`));
      for (const task of planned) if (added.has(`${task.runId} ${task.id}`)) task.source = "backlog";
      return [...alone, ...planned];
    },
    async cancel(workspace, id) {
      const place = resolveWorkspace(workspace, own);
      const found = (await settleBacklog(ledger, place)).find(({ task }) => task.id === id);
      if (!found) throw unknownTask(id, place);
      if (found.status === "doing") {
        const hint = `Cancel the run: drydock runs cancel ${found.runId}`;
        throw new DrydockError("input.invalid", `Task ${id} is under way in ${found.runId}.`, hint, { task: id });
      }
      if (found.status === "done") {
        const hint = `What it changed can be taken back: drydock runs revert ${found.runId}`;
        throw new DrydockError("input.invalid", `Task ${id} is done.`, hint, { task: id });
      }
      const moved = await backlog.move([found], "cancelled", found.runId);
      if (moved !== "moved") throw takenMeanwhile(id, moved);
    },
    async run({ tasks: ids, ...options }) {
      const workspace = resolveWorkspace(options.workspace, own);
      const known = await settleBacklog(ledger, workspace);
      const chosen = chooseTasks(known, workspace, ids);
      const plan = planTasks(known, chosen);
      let runId = "";
      let lost: DrydockError | undefined;
      const onEvent = (event: RunEvent) => {
        runId ||= event.runId;
        options.onEvent?.(event);
      };
      /** Two processes may choose the same tasks: the first to claim them gets them, before any work starts. */
      const review = async (proposed: Plan): Promise<PlanReview | undefined> => {
        const moved = await backlog.move(chosen, "doing", runId);
        if (moved === "moved") return options.review?.(proposed);
        lost = takenMeanwhile(moved?.task.id ?? chosen[0]?.task.id ?? "", moved);
        throw lost;
      };
      const result = await goals.run({ ...options, workspace, plan, planSource: "backlog", onEvent, review });
      await settleBacklog(ledger, workspace);
      if (lost) throw lost;
      return result;
    },
  };
}

function readTask(task: unknown): PlanTask {
  const parsed = PlanTask.safeParse(task);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues, "task");
  throw new DrydockError(
    "input.invalid",
    `The task can't be read: ${problems.slice(0, 5).join("; ")}.`,
    "A task is { id, title, instructions, dependsOn, scope, checks, attempts }, with at least one check.",
    { problems },
  );
}

function chooseTasks(
  known: readonly BacklogTask[],
  workspace: string,
  ids: readonly string[] | undefined,
): BacklogTask[] {
  for (const id of ids ?? []) if (!known.some(({ task }) => task.id === id)) throw unknownTask(id, workspace);
  const chosen = known.filter(({ task, status }) => (ids ? ids.includes(task.id) : status === "todo"));
  const busy = chosen.find(({ status }) => status === "doing");
  if (busy) {
    const hint = `See it with: drydock runs show ${busy.runId}`;
    throw new DrydockError("input.invalid", `Task ${busy.task.id} is under way in ${busy.runId}.`, hint);
  }
  if (chosen.length === 0) {
    const failed = known.filter(({ status }) => status === "failed").map(({ task }) => task.id);
    const again = `To try the failed ones again, name them: drydock task run ${failed.join(" ")}`;
    const hint = failed.length > 0 ? again : "Add one: drydock task add --help shows how.";
    throw new DrydockError("input.invalid", `No task waits for ${workspace}.`, hint, { workspace });
  }
  return chosen;
}

function planTasks(known: readonly BacklogTask[], chosen: readonly BacklogTask[]): Plan {
  const done = new Set(known.filter(({ status }) => status === "done").map(({ task }) => task.id));
  const ready = new Set([...done, ...chosen.map(({ task }) => task.id)]);
  for (const { task } of chosen) {
    const missing = task.dependsOn.find((id) => !ready.has(id));
    if (missing === undefined) continue;
    const state = known.find((other) => other.task.id === missing)?.status ?? "unknown";
    const hint = `Do both: drydock task run ${missing} ${task.id}. Or take it off the list: drydock task cancel ${task.id}`;
    throw new DrydockError("input.invalid", `Task ${task.id} depends on ${missing}, which is ${state}.`, hint);
  }
  const names = chosen.map(({ task }) => task.title || task.id);
  return {
    goal: names.join("; "),
    // What is done already lies in the workspace.
    tasks: chosen.map(({ task }) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !done.has(id)) })),
  };
}

/** Updates tasks whose run has ended meanwhile: another command may have resumed it. */
async function settleBacklog(ledger: Ledger, workspace: string | undefined): Promise<BacklogTask[]> {
  const listed = await ledger.backlog.list(workspace);
  let isSettled = true;
  for (const entry of listed) {
    const status = entry.status === "doing" ? await statusAfterRun(ledger, entry) : entry.status;
    if (status === entry.status) continue;
    isSettled = false;
    // Another process has already finished or claimed it.
    await ledger.backlog.move([entry], status, entry.runId);
  }
  return isSettled ? listed : ledger.backlog.list(workspace);
}

async function statusAfterRun(ledger: Ledger, { runId, task }: BacklogTask): Promise<TaskStatus> {
  const run = runId === null ? null : await ledger.getRun(runId);
  if (!run) return "todo";
  if (!hasEnded(run)) return "doing";
  if (run.verdict === "passed") return "done";
  const end = (await readAllEvents(ledger, run.id)).findLast(({ type }) => type === "run.failed");
  // Nothing of a run that did not pass is delivered: also what was done in it is still to be done.
  return Object(end?.data.tasks)[task.id] === "failed" ? "failed" : "todo";
}

async function listOpenRuns(ledger: Ledger, workspace: string | undefined): Promise<Run[]> {
  const found: Run[] = [];
  for (const status of OPEN_STATUSES) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Ledger["listRuns"]>> = await ledger.listRuns({ status, cursor, limit: PAGE });
      found.push(...page.runs.filter((run) => run.kind === "goal"));
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return workspace === undefined ? found : found.filter((run) => run.workspace === workspace);
}

async function listRunTasks(ledger: Ledger, run: Run): Promise<ListedTask[]> {
  const { createTaskBoard, lastMoves } = await import("../../engine/index.ts");
  const events = await readAllEvents(ledger, run.id);
  const plan = events.find((event) => event.type === "plan.accepted")?.data.plan as Plan | undefined;
  if (!plan) return [];
  const staleSeconds = Number(Object(events[0]?.data.request).staleSeconds ?? 0);
  const moves = lastMoves(events);
  return createTaskBoard(plan, events)
    .states()
    .map(({ task, status, reason }) => {
      const movedMs = moves.get(task.id) ?? Date.parse(run.createdAt);
      const isStale = status === "doing" && staleSeconds > 0 && Date.now() - movedMs > staleSeconds * 1000;
      return {
        id: task.id,
        title: task.title,
        status: isStale ? "stale" : status,
        workspace: run.workspace ?? "",
        runId: run.id,
        source: "plan",
        reason,
        changedAt: new Date(movedMs).toISOString(),
      };
    });
}

function listBacklogTask({ task, status, workspace, runId, changedAt }: BacklogTask): ListedTask {
  return { id: task.id, title: task.title, status, workspace, runId, source: "backlog", reason: "", changedAt };
}

function takenMeanwhile(id: string, now: BacklogTask | null): DrydockError {
  const what = now === null ? "is gone" : now.status === "doing" ? `was taken by ${now.runId}` : `is ${now.status} now`;
  const hint = "`drydock task list` shows what there is to do.";
  return new DrydockError("input.invalid", `Task ${id} ${what}.`, hint, { task: id, runId: now?.runId ?? null });
}

function unknownTask(id: string, workspace: string): DrydockError {
  const hint = "`drydock task list` shows the tasks there are.";
  return new DrydockError("input.invalid", `There is no task ${id} for ${workspace}.`, hint, { task: id });
}
