import { hash } from "node:crypto";
import type { RunEvent } from "@drydock/protocol";
import { TERMINAL_EVENTS } from "@drydock/protocol";
import type { AskView, AttemptView, GoalView, TaskView } from "./goal-view.ts";
import { summarizeRun } from "./summarize-run.ts";

export type RecordSource = { blob: string } | { artifact: string } | { text: string };

/** One file of a run's directory. Paths are relative, of names that are safe. */
export interface RecordFile {
  path: string;
  source: RecordSource;
}

/** The files that an event adds or changes. The list of events itself is not among them. */
export function filesAfter(runId: string, view: GoalView, event: RunEvent): RecordFile[] {
  const task = typeof event.data.task === "string" ? view.tasks.get(event.data.task) : undefined;
  if (task && event.type.startsWith("repair.")) return listRepairFiles(task);
  if (task) {
    const number = event.data.attempt;
    const attempt = task.attempts.findLast((each) => typeof number !== "number" || each.number === number);
    return attempt ? listAttemptFiles(task.id, attempt) : [];
  }
  if (event.type === "plan.accepted") return listPlanFiles(view);
  if (event.type === "run.followed") return listFollowedFiles(view);
  if (event.type.startsWith("model.")) return listAskFiles("planning", view.planning);
  if (event.type === "tree.verified") return listTreeFiles(view);
  return view.end && (TERMINAL_EVENTS.includes(event.type) || event.type.startsWith("layer."))
    ? [{ path: "snapshot.json", source: json(summarizeRun(runId, view)) }]
    : [];
}

/** All files of a run as it stands. */
export function listFiles(runId: string, view: GoalView): RecordFile[] {
  return [
    ...listFollowedFiles(view),
    ...listPlanFiles(view),
    ...listAskFiles("planning", view.planning),
    ...[...view.tasks.values()].flatMap((task) => [
      ...task.attempts.flatMap((attempt) => listAttemptFiles(task.id, attempt)),
      ...listRepairFiles(task),
    ]),
    ...listTreeFiles(view),
    ...(view.end ? [{ path: "snapshot.json", source: json(summarizeRun(runId, view)) }] : []),
  ];
}

function listFollowedFiles({ account, follows, comments }: GoalView): RecordFile[] {
  return [
    ...(account === null ? [] : [{ path: "followed.md", source: { blob: account } }]),
    ...(comments.length === 0 ? [] : [{ path: "rework_request.json", source: json({ run: follows, comments }) }]),
  ];
}

function listPlanFiles({ plan }: GoalView): RecordFile[] {
  return plan ? [{ path: "plan.json", source: json(plan) }] : [];
}

function listTreeFiles({ treeVerification }: GoalView): RecordFile[] {
  return treeVerification ? [{ path: "verification.json", source: { blob: treeVerification } }] : [];
}

function listAttemptFiles(taskId: string, attempt: AttemptView): RecordFile[] {
  const number = attempt.round === 1 ? `${attempt.number}` : `${attempt.number}-again-${attempt.round - 1}`;
  const directory = `attempts/${toSafeName(taskId)}/${number}`;
  const files = listAskFiles(directory, attempt.asks);
  const add = (name: string, source: RecordSource) => files.push({ path: `${directory}/${name}`, source });
  if (attempt.tools.length > 0) {
    add("tools.jsonl", { text: attempt.tools.map((tool) => `${JSON.stringify(tool)}\n`).join("") });
  }
  if (attempt.diff) add("changes.diff", { blob: attempt.diff });
  if (attempt.verification) add("verification.json", { blob: attempt.verification });
  if (attempt.rework) add("rework_request.json", json(attempt.rework));
  return files;
}

/** The changes that a search found, in full. */
function listRepairFiles({ id, repair }: TaskView): RecordFile[] {
  return repair ? [{ path: `attempts/${toSafeName(id)}/repair.json`, source: { blob: repair.outcome } }] : [];
}

/** The first request is `prompt.md` and `answer.json`; those that follow it in a loop of tools are numbered. */
function listAskFiles(directory: string, asks: readonly AskView[]): RecordFile[] {
  return asks.flatMap((ask, index) => {
    const number = index === 0 ? "" : `-${index + 1}`;
    const files: RecordFile[] = [];
    if (ask.prompt) files.push({ path: `${directory}/prompt${number}.md`, source: { artifact: ask.prompt } });
    if (ask.answer) files.push({ path: `${directory}/answer${number}.json`, source: { blob: ask.answer } });
    return files;
  });
}

function json(value: unknown): RecordSource {
  return { text: `${JSON.stringify(value, null, 2)}\n` };
}

/** A name that can neither leave its directory nor be another's: whatever is unusual is named by its hash. */
export function toSafeName(id: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) ? id : `_${hash("sha256", id, "hex").slice(0, 32)}`;
}
