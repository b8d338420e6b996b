import { type CheckResult, countWord, describeProgress, type TaskStatus } from "@drydock/protocol";
import type { AttemptView, TaskView } from "../../../app/index.ts";
import { cleanLine, cleanText } from "../../terminal/clean-text.ts";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import type { Cell } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";
import { cut, widthOf } from "../../terminal/text-width.ts";
import { describeSpeech, describeToolCall, describeToolFailure } from "./describe-tool.ts";
import { fitLine } from "./fit-line.ts";
import { describeModels, type GoalState, type LiveTask, type SearchProgress } from "./goal-state.ts";
import { labelCheck, labelSource } from "./label-check.ts";
import { listChangedLines } from "./list-changed-lines.ts";
import { nameAttempt } from "./name-attempt.ts";
import { PHASES } from "./report-phases.ts";

export interface TreeLook {
  colors: Colors;
  nowMs: number;
  /** Which picture of the spinners. */
  frame: number;
  columns: number | undefined;
  /** Maximum number of lines. Default: all. */
  rows?: number;
  isCancelling?: boolean;
}

/** Whether nothing moves any more. */
interface TaskLook extends TreeLook {
  isStill: boolean;
}

type Line = Cell[];
interface Branch {
  status: TaskStatus;
  head: Line;
  details: Line[];
}

/** Of the calls of an attempt under way, the last ones. */
const SHOWN_TOOLS = 3;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ACTIVE: readonly TaskStatus[] = ["doing", "stale", "failed"];

/** The plan as a tree: what is done, what is under way, what waits. Never more or longer lines than the terminal has. */
export function renderTree(state: GoalState, look: TreeLook): string[] {
  const isStill = state.view.end !== null || state.isPaused;
  const tasks = [...state.view.tasks.values()];
  const branches = tasks.map((task) => growBranch(task, state.live.get(task.id), { ...look, isStill }));
  const foot = renderFoot(state, look);
  const room = look.rows === undefined ? Number.POSITIVE_INFINITY : Math.max(3, look.rows - 1 - foot.length);
  const lines = [renderHead(state, look), ...prune(branches, room, look), ...foot];
  return lines.map((line) => fitLine(line, look.columns)).slice(0, look.rows);
}

function spinner({ frame, colors }: TreeLook): Cell {
  return { text: SPINNER[frame % SPINNER.length] ?? "", paint: colors.cyan };
}

function renderHead(state: GoalState, look: TreeLook): Line {
  const { colors, columns } = look;
  const endMs = state.view.end ? Date.parse(state.view.end.at) : look.nowMs;
  // Who answers comes first: it must be seen where the line is cut.
  const about = `  ${describeModels(state)}  ${elapsed(endMs - state.startedAtMs)}  ${state.runId ?? ""}`;
  const word = look.isCancelling && !state.view.end ? "  cancelling (Ctrl-C again: at once)" : "";
  const goal = cleanLine(state.goal);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - widthOf(about) - widthOf(word);
  return [
    { text: room < 20 ? goal : cut(goal, room), paint: colors.bold },
    { text: word, paint: colors.yellow },
    { text: about, paint: colors.dim },
  ];
}

function renderFoot({ view, note, live }: GoalState, look: TreeLook): Line[] {
  const { colors } = look;
  if (view.end) return [];
  const noteLines: Line[] = note.trim() === "" ? [] : [[{ text: `   ${lastLine(note)}`, paint: colors.dim }]];
  if (view.plan === null) return [[{ text: "└─ " }, spinner(look), { text: " planning" }], ...noteLines];
  const tasks = [...view.tasks.values()];
  if (view.treeVerdict !== null || tasks.some(({ status }) => status !== "done")) return noteLines;
  const count = [...live.values()].reduce((sum, task) => sum + task.checks.length, 0);
  const found = count === 0 ? "" : `, ${count} so far`;
  return [[{ text: "   " }, spinner(look), { text: ` all checks on the whole result${found}` }], ...noteLines];
}

function growBranch(task: TaskView, live: LiveTask | undefined, look: TaskLook): Branch {
  const { id, status, planned } = task;
  const { colors } = look;
  const title = cleanLine(planned?.title ?? "");
  const head: Line = [
    markTask(status, look),
    { text: ` ${id}`, paint: status === "todo" ? colors.dim : colors.bold },
    { text: title === "" ? "" : ` ${title}`, ...(status === "todo" && { paint: colors.dim }) },
    { text: `  ${describeTask(task, look)}`, paint: status === "failed" ? colors.red : colors.dim },
  ];
  return { status, head, details: describeAttempts(task, live, look) };
}

function markTask(status: TaskStatus, look: TaskLook): Cell {
  const { colors } = look;
  if (status === "doing") return look.isStill ? { text: "–", paint: colors.yellow } : spinner(look);
  const marks: Record<Exclude<TaskStatus, "doing">, Cell> = {
    todo: { text: "·", paint: colors.dim },
    done: { text: "✓", paint: colors.green },
    failed: { text: "✗", paint: colors.red },
    cancelled: { text: "–", paint: colors.yellow },
    stale: { text: "!", paint: colors.yellow },
  };
  return marks[status];
}

function describeTask(
  { status, planned, attempts, startedAt, endedAt, reason }: TaskView,
  { nowMs, isStill }: TaskLook,
): string {
  const last = attempts.at(-1);
  const tookMs = startedAt === null ? 0 : (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt);
  const count = last?.number ?? 0;
  switch (status) {
    case "todo":
      return planned && planned.dependsOn.length > 0 ? `after ${planned.dependsOn.join(", ")}` : "";
    case "doing":
      if (isStill) return `stopped in attempt ${count}`;
      return `${nameAttempt(count, planned)}, ${describeStep(last)}  ${elapsed(tookMs)}`;
    case "done":
      return `${attempts.length > 1 ? `${attempts.length} attempts  ` : ""}${elapsed(tookMs)}`;
    default:
      return cleanLine(reason);
  }
}

function describeStep(attempt: AttemptView | undefined): string {
  if (!attempt) return "starting";
  if (attempt.finishedAt !== null) return attempt.verdict === null && attempt.failure === null ? "checking" : "judged";
  const used = attempt.tools.at(-1);
  return used ? `working (${countWord(attempt.tools.length, "tool call")}, last: ${cleanLine(used.name)})` : "working";
}

/** Attempts that failed in one line each, and the one under way, or the one that ended it, check by check. */
function describeAttempts({ status, planned, attempts }: TaskView, live: LiveTask | undefined, look: TaskLook): Line[] {
  const { colors } = look;
  const lines: Line[] = [];
  const last = attempts.at(-1);
  for (const attempt of attempts.slice(0, -1)) lines.push(summarizeAttempt(attempt, look));
  if (!last) return lines;
  if (last.failure !== null) return [...lines, summarizeAttempt(last, look)];
  const speech = describeSpeech(last.summary);
  if (last.candidate !== null) lines.push([{ text: cleanLine(last.summary) }]);
  else if (speech !== "") lines.push([{ text: `model: ${speech}`, paint: colors.dim }]);
  if (last.checks.length > 0) return [...lines, ...last.checks.map((check) => describeResult(check, look))];
  if (status !== "doing" || look.isStill) return lines;
  if (last.finishedAt === null) {
    lines.push(...last.tools.slice(-SHOWN_TOOLS).map((tool) => describeTool(tool, look)));
    if (live?.searching) lines.push(...describeSearching(live.searching, look));
    const note = lastLine(live?.note ?? "");
    return note === "" ? lines : [...lines, [{ text: note, paint: colors.dim }]];
  }
  const found = live?.checks ?? [];
  for (const [index, { type, verdict, reason }] of found.entries()) {
    const plannedCheck = planned?.checks[index];
    const label = plannedCheck?.type === type ? labelCheck(plannedCheck) : type;
    lines.push([
      markCheck(verdict, look),
      { text: ` ${label}` },
      { text: `  ${cleanLine(reason)}`, paint: colors.dim },
    ]);
  }
  const next = live?.running?.check ?? planned?.checks[found.length];
  const phase = live?.running ? `  ${PHASES[live.running.phase]}` : "";
  if (next) lines.push([spinner(look), { text: ` ${labelCheck(next)}` }, { text: phase, paint: colors.dim }]);
  return lines;
}

const BEST_LINES = 6;

/** How fast it goes, and the best change so far with the lines that it adds and removes. */
function describeSearching(searching: SearchProgress, look: TaskLook): Line[] {
  const { colors } = look;
  const changed = listChangedLines(searching.best?.diff ?? "");
  return [
    [spinner(look), { text: ` ${describeProgress(searching)}` }],
    ...changed
      .slice(0, BEST_LINES)
      .map((line) => [{ text: `  ${cleanText(line)}`, paint: line.startsWith("+") ? colors.green : colors.red }]),
  ];
}

function describeTool(tool: AttemptView["tools"][number], { colors }: TreeLook): Line {
  const call = describeToolCall(tool.name, tool.arguments);
  if (!tool.failed) return [{ text: `· ${call}`, paint: colors.dim }];
  return [{ text: "✗", paint: colors.red }, { text: ` ${call}: ${describeToolFailure(tool.summary)}` }];
}

function summarizeAttempt({ number, failure, checks }: AttemptView, { colors }: TreeLook): Line {
  const failed = checks.filter(({ verdict }) => verdict !== "passed");
  const [first] = failed;
  const why = failure ?? (first ? `${labelCheck(first.check)}: ${first.reason}` : "not judged");
  return [
    { text: "✗", paint: colors.red },
    { text: ` attempt ${number}: ` },
    { text: cleanLine(failed.length > 1 ? `${failed.length} checks failed; ${why}` : why), paint: colors.dim },
  ];
}

function describeResult(result: CheckResult, look: TreeLook): Line {
  const { check, verdict, reason, durationMs, alsoPassesBefore, source } = result;
  const { colors } = look;
  const isPassed = verdict === "passed";
  return [
    markCheck(verdict, look),
    { text: ` ${labelCheck(check)}` },
    { text: labelSource(source), paint: colors.dim },
    { text: isPassed ? "" : `  ${verdict === "refused" ? "refused: " : ""}${cleanLine(reason)}`, paint: colors.red },
    { text: alsoPassesBefore ? "  passes without the change too" : "", paint: colors.yellow },
    { text: isPassed && alsoPassesBefore === false ? "  failed before the change" : "", paint: colors.dim },
    { text: `  ${renderDuration(durationMs)}`, paint: colors.dim },
  ];
}

function markCheck(verdict: string, { colors }: TreeLook): Cell {
  return verdict === "passed" ? { text: "✓", paint: colors.green } : { text: "✗", paint: colors.red };
}

/** Where there is no room for all: first without the checks of what is done, then with only what is under way. */
function prune(branches: readonly Branch[], room: number, { colors }: TreeLook): Line[] {
  const size = (shown: readonly Branch[]) => shown.reduce((sum, { details }) => sum + 1 + details.length, 0);
  if (size(branches) <= room) return hang(branches);
  const short = branches.map((branch) => (ACTIVE.includes(branch.status) ? branch : { ...branch, details: [] }));
  if (size(short) <= room) return hang(short);
  const active = short.filter(({ status }) => ACTIVE.includes(status));
  const others = short.length - active.length;
  const done = short.filter(({ status }) => status === "done").length;
  const counts = `${done} done, ${others - done} waiting or cancelled`;
  const rest: Line[] = others === 0 ? [] : [[{ text: "   " }, { text: counts, paint: colors.dim }]];
  const shown = size(active) + rest.length <= room ? active : active.map((branch) => ({ ...branch, details: [] }));
  const lines = hang(shown);
  const limit = room - rest.length;
  if (lines.length <= limit) return [...lines, ...rest];
  const hidden = lines.length - limit + 1;
  return [...lines.slice(0, limit - 1), [{ text: "   " }, { text: `${hidden} more`, paint: colors.dim }], ...rest];
}

function hang(branches: readonly Branch[]): Line[] {
  return branches.flatMap(({ head, details }, index) => {
    const isLast = index === branches.length - 1;
    const stem: Cell = { text: isLast ? "      " : "│     " };
    return [[{ text: isLast ? "└─ " : "├─ " }, ...head], ...details.map((line) => [stem, ...line])];
  });
}

function lastLine(text: string): string {
  return cleanLine(text.trimEnd().split("\n").at(-1) ?? "");
}

/** In whole seconds: what changes with every frame can't be read. */
function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
