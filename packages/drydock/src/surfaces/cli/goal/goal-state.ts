import { basename } from "node:path";
import { type Plan, REPAIR_NAME, type RunEvent } from "@drydock/protocol";
import { type GoalOptions, type GoalView, loadGoalView } from "../../../app/index.ts";

export type Progress = Parameters<NonNullable<GoalOptions["onProgress"]>>[0];
export type PhaseProgress = Extract<Progress, { kind: "phase" }>;
export type SearchProgress = Extract<Progress, { kind: "repair" }>;
type CheckProgress = Extract<Progress, { kind: "check" }>;

/** What is known of a task beyond what is on record. */
export interface LiveTask {
  /** Found since the attempt ended; on record only once all are. */
  checks: Pick<CheckProgress, "type" | "verdict" | "reason">[];
  /** The end of what the model says. */
  note: string;
  /** What runs at the moment. */
  running: Pick<PhaseProgress, "check" | "phase"> | null;
  /** Where the search for a repair is. */
  searching: SearchProgress | null;
}

export interface GoalState {
  readonly view: GoalView;
  readonly live: ReadonlyMap<string, LiveTask>;
  runId: string | null;
  goal: string;
  /** The requested models; those that answered are in the view. */
  models: string[];
  workspace: string;
  /** What the planner says. */
  note: string;
  startedAtMs: number;
  isPaused: boolean;
  /** Whether anything has happened since it is watched. */
  isUnderWay: boolean;
}

export interface GoalFollower {
  readonly state: GoalState;
  take(event: RunEvent): void;
  receive(progress: Progress): void;
}

const NOTE_CHARS = 400;

/** All that is known of a run while it is under way: its record, folded, and what goes on between two events. */
export async function followGoal(): Promise<GoalFollower> {
  const { applyEvent, createGoalView } = await loadGoalView();
  const live = new Map<string, LiveTask>();
  const state: GoalState = {
    view: createGoalView(),
    live,
    runId: null,
    goal: "",
    models: [],
    workspace: "",
    note: "",
    startedAtMs: Date.now(),
    isPaused: false,
    isUnderWay: false,
  };
  const liveOf = (task: string): LiveTask => {
    const found = live.get(task) ?? { checks: [], note: "", running: null, searching: null };
    live.set(task, found);
    return found;
  };
  return {
    state,
    take(event) {
      state.runId = event.runId;
      applyEvent(state.view, event);
      if (event.type === "run.created") takeCreated(state, event);
      if (event.type === "plan.accepted") state.goal = (event.data.plan as Plan).goal;
      if (event.type === "run.resumed") state.isPaused = false;
      if (event.type === "run.paused") state.isPaused = true;
      const { task } = event.data;
      if (typeof task !== "string") state.note = "";
      else if (event.type === "attempt.started" || event.type === "task.verified") live.delete(task);
      else if (event.type === "model.answered" || event.type === "attempt.finished") liveOf(task).note = "";
    },
    receive(progress) {
      if (progress.kind === "phase") {
        if (progress.task !== null) liveOf(progress.task).running = progress;
      } else if (progress.kind === "notice") return;
      else if (progress.kind === "repair") liveOf(progress.task).searching = progress;
      else if (progress.kind === "check") liveOf(progress.task).checks.push(progress);
      else if (progress.task === null) state.note = (state.note + progress.text).slice(-NOTE_CHARS);
      else {
        const task = liveOf(progress.task);
        task.note = (task.note + progress.text).slice(-NOTE_CHARS);
      }
    },
  };
}

function takeCreated(state: GoalState, { at, data }: RunEvent): void {
  const request = Object(data.request) as { goal?: unknown; model?: unknown };
  state.goal = typeof request.goal === "string" ? request.goal : state.view.goal;
  state.models = Array.isArray(request.model) ? request.model.map(String) : [];
  state.workspace = typeof data.workspace === "string" ? data.workspace : "";
  state.startedAtMs = Date.parse(at);
}

/**
 * The models that answered, or that will be used. A script is never shown as anything else, and repair never as a
 * model.
 */
export function describeModels({ view, models }: Pick<GoalState, "view" | "models">): string {
  const isRepaired = [...view.tasks.values()].some(({ repair, searching }) => repair !== null || searching !== null);
  if (view.worker === "repair") return REPAIR_NAME;
  return isRepaired ? `${nameModels({ view, models })}, then ${REPAIR_NAME}` : nameModels({ view, models });
}

function nameModels({ view, models }: Pick<GoalState, "view" | "models">): string {
  const asks = [
    view.planning,
    ...[...view.tasks.values()].flatMap((task) => task.attempts.map(({ asks }) => asks)),
  ].flat();
  const names = new Set(asks.map((ask) => (ask.scripted ? scriptName(models) : ask.model)));
  const shown = names.size > 0 ? [...names] : models.map((name) => (isScript(name) ? scriptName([name]) : name));
  return shown.length === 0 ? "none" : shown.join(", ");
}

function isScript(name: string): boolean {
  return name.startsWith("scripted:");
}

function scriptName(models: readonly string[]): string {
  const script = models.find(isScript)?.slice("scripted:".length);
  return `${script === undefined ? "a script" : basename(script)} (scripted)`;
}
