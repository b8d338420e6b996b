import {
  type AttemptFinished,
  type CheckResult,
  countWord,
  describeProgress,
  describeSearch,
  type Plan,
  type RepairFinished,
  type RepairProgressed,
  type ReworkRequest,
  type RunEvent,
} from "@drydock/protocol";
import type { TaskView } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import type { Colors } from "../../terminal/terminal.ts";
import { describeSpeech, describeToolCall, describeToolFailure } from "./describe-tool.ts";
import { describeModels, type GoalState } from "./goal-state.ts";
import { labelCheck, labelSource } from "./label-check.ts";
import { nameAttempt } from "./name-attempt.ts";

const MAX_CHANGES = 5;

/** An event as log lines with the task id as prefix; empty for events that are not shown. */
export function renderLine(event: RunEvent, state: GoalState, colors: Colors): string {
  const { task } = event.data;
  const owner = colors.dim(`${typeof task === "string" ? task : "run"}:`);
  return [describeWords(event, colors), describeEvent(event, state, colors)]
    .filter((text) => text !== "")
    .map((text) => `${owner} ${text}\n`)
    .join("");
}

/** A model's own words are a claim; of a repair, it is known what it changes. */
function describeWords({ type, data }: RunEvent, colors: Colors): string {
  if (type !== "attempt.finished" || data.failure) return "";
  if (typeof data.candidate === "number") return textOf(data.summary);
  const speech = describeSpeech(data.summary);
  return speech && `${colors.dim("model:")} ${speech}`;
}

function describeEvent({ type, data, runId }: RunEvent, state: GoalState, colors: Colors): string {
  switch (type) {
    case "run.created":
      return `${runId} ${colors.bold(cleanLine(state.goal))} (${state.view.worker === "repair" ? "worker" : "model"}: ${describeModels(state)})`;
    case "run.resumed":
      return `${runId} resumed: ${colors.bold(cleanLine(state.goal))}`;
    case "run.followed":
      return `follows ${textOf(data.run)}, from ${describeStart(data)}`;
    case "run.paused":
      return colors.yellow(`paused: ${textOf(data.reason)}`);
    case "plan.refused":
      return `the plan is not valid${state.view.planSource === "" ? ", the model tries again" : ""}: ${describeProblems(data.problems)}`;
    case "plan.accepted":
      return describePlan(data.plan as Plan, textOf(data.source));
    case "model.asked":
      return data.step === "plan" ? "planning" : "";
    case "model.failed":
      return colors.yellow(`the model failed: ${textOf(Object(data.error).message)}`);
    case "task.added":
      return "added";
    case "task.started":
      return `started${textOf(data.title) === "" ? "" : `: ${textOf(data.title)}`}`;
    case "attempt.started":
      return data.attempt === 1 ? "" : nameAttempt(Number(data.attempt), findTask(state, data.task)?.planned);
    case "tool.finished":
      return describeTool(data, colors);
    case "repair.progressed":
      return describeProgress(data as RepairProgressed);
    case "repair.finished":
      return describeRepair(data as RepairFinished, colors);
    case "attempt.finished":
      return describeAttempt(data as AttemptFinished, colors);
    case "check.finished":
      return describeCheck(data as unknown as CheckResult, colors);
    case "rework.requested":
      return describeRework(Object(data.request) as Partial<ReworkRequest>);
    case "task.done":
      return colors.green(`done${describeMade(findTask(state, data.task)?.attempts.length ?? Number(data.attempts))}`);
    case "task.failed":
    case "task.cancelled":
    case "task.stale":
    case "task.reset":
      return colors.yellow(`${type.slice("task.".length)}: ${textOf(data.reason)}`);
    case "tree.verified":
      return `final result: ${data.verdict}. ${textOf(data.reason)}`;
    default:
      return "";
  }
}

const ENDS: Partial<Record<RepairFinished["stopped"], string>> = {
  time: "its time is over",
  limit: "no more may be tried",
  unconfirmed: "none of those that passed in the search passes the whole command",
  unable: "the search was stopped",
};

function describeRepair(data: RepairFinished, colors: Colors): string {
  const search = describeSearch(data);
  if (data.stopped === "cannot") return colors.yellow(cleanLine(data.reason));
  if (data.found > 0) return `${countWord(data.found, "change passes", "changes pass")} all tests: ${search}`;
  if (data.stopped === "cancelled") return colors.yellow(`stopped before a change was confirmed: ${search}`);
  const why = ENDS[data.stopped] ?? "nothing is left to try";
  return colors.yellow(`no change passes all tests, and ${why}: ${search}`);
}

function describePlan({ tasks }: Plan, source: string): string {
  const from = source === "planner" ? "" : ` (${source})`;
  return `plan${from}: ${countWord(tasks.length, "task")}: ${tasks.map(({ id }) => id).join(", ")}`;
}

function describeTool({ name, arguments: args, failed, summary }: RunEvent["data"], colors: Colors): string {
  const call = describeToolCall(name, args);
  return failed === true ? `${colors.red("✗")} ${call}: ${describeToolFailure(summary)}` : colors.dim(`· ${call}`);
}

function describeAttempt({ attempt, changes, failure }: AttemptFinished, colors: Colors): string {
  if (failure) return colors.red(`✗ attempt ${attempt}: ${textOf(failure.reason)}`);
  if (changes.length === 0) return `attempt ${attempt} changed nothing`;
  const shown = changes.slice(0, MAX_CHANGES).map(({ path }) => path);
  const more = changes.length > shown.length ? ` and ${changes.length - shown.length} more` : "";
  return `attempt ${attempt} changed ${cleanLine(shown.join(", "))}${more}`;
}

function describeCheck(result: CheckResult, colors: Colors): string {
  const { verdict, check, reason, durationMs, alsoPassesBefore, source } = result;
  const label = `${labelCheck(check)}${colors.dim(labelSource(source))}`;
  const note = noteBefore(alsoPassesBefore, colors);
  if (verdict === "passed") return `${colors.green("✓")} ${label}${note} ${renderDuration(durationMs)}`;
  const word = verdict === "refused" ? "refused: " : "";
  return `${colors.red("✗")} ${label}: ${word}${cleanLine(reason)} ${renderDuration(durationMs)}`;
}

function noteBefore(alsoPassesBefore: CheckResult["alsoPassesBefore"], colors: Colors): string {
  if (alsoPassesBefore === true) return colors.yellow(" (passes without the change too)");
  return alsoPassesBefore === false ? colors.dim(" (failed before the change)") : "";
}

/** The checks may all have passed: then it says why that is not enough. */
function describeRework({ attemptsLeft: left = 0, failed = [] }: Partial<ReworkRequest>): string {
  const why = failed.some(({ code }) => code === "unproven") ? " (unproven: no check shows what the change does)" : "";
  const rest = left === 1 ? "this is the last attempt" : `${countWord(left, "attempt")} left, including this one`;
  return `trying again${why}: ${rest}`;
}

function describeProblems(problems: unknown): string {
  const list = Array.isArray(problems) ? problems : [];
  return list
    .slice(0, 3)
    .map(({ where, problem }) => cleanLine(`${where}: ${String(problem).replace(/\.$/, "")}`))
    .join("; ");
}

function findTask({ view }: GoalState, task: unknown): TaskView | undefined {
  return view.tasks.get(String(task));
}

/** Numbers of attempts can have gaps: of those that were planned, not all are made before repair begins. */
function describeMade(attempts: number): string {
  return attempts > 1 ? ` in ${attempts} attempts` : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? cleanLine(value) : "";
}

/** What a run that follows another starts from. */
function describeStart({ layer, repairs = null }: Record<string, unknown>): string {
  if (layer !== null) return "its changes, which were not delivered";
  return repairs === null ? "the workspace as it is" : "the changes that its search has on record";
}
