import { type Check, type Plan, type PlanTask, readCheckEntry, writeCheckEntry } from "@drydock/protocol";

/** A task of a plan while somebody changes it: lists are texts with an entry a line. */
export interface TaskDraft {
  /** Stays, whatever the task is called. */
  key: number;
  id: string;
  title: string;
  instructions: string;
  dependsOn: readonly string[];
  scope: string;
  checks: string;
  attempts: string;
}

export type TaskField = "id" | "dependsOn" | "checks" | "attempts";
export type TaskProblem =
  | { kind: "name" | "taken" | "circle" | "noCheck" | "attempts" }
  | { kind: "check"; line: number; text: string };
export type PlanProblems = ReadonlyMap<number, Partial<Record<TaskField, TaskProblem>>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MOST_ATTEMPTS = 20;

export function toTaskDrafts({ tasks }: Plan): TaskDraft[] {
  return tasks.map(({ scope, checks, attempts, ...task }, key) => ({
    ...task,
    key,
    scope: scope.join("\n"),
    checks: checks.map(writeCheckEntry).join("\n"),
    attempts: String(attempts),
  }));
}

/** The plan as it was changed, and what is wrong with it: then it can't be carried out yet. */
export function readTaskDrafts(goal: string, drafts: readonly TaskDraft[]): { plan: Plan; problems: PlanProblems } {
  const problems = new Map<number, Partial<Record<TaskField, TaskProblem>>>();
  const report = (key: number, field: TaskField, problem: TaskProblem) =>
    problems.set(key, { [field]: problem, ...problems.get(key) });
  const tasks = drafts.map((draft): PlanTask => {
    const { key, id, title, instructions, dependsOn } = draft;
    const checks = readChecks(draft.checks, (problem) => report(key, "checks", problem));
    const attempts = Number(draft.attempts);
    if (!NAME.test(id)) report(key, "id", { kind: "name" });
    else if (drafts.some((other) => other.id === id && other.key < key)) report(key, "id", { kind: "taken" });
    if (!(Number.isInteger(attempts) && attempts >= 1 && attempts <= MOST_ATTEMPTS)) {
      report(key, "attempts", { kind: "attempts" });
    }
    if (reaches(drafts, dependsOn, id)) report(key, "dependsOn", { kind: "circle" });
    const scope = lines(draft.scope);
    return {
      id,
      title,
      instructions,
      dependsOn: [...dependsOn],
      scope: scope.length > 0 ? scope : ["**"],
      checks,
      attempts,
    };
  });
  return { plan: { goal, tasks }, problems };
}

function readChecks(text: string, report: (problem: TaskProblem) => void): Check[] {
  const entries = text.split("\n").map((line, index) => ({ line: index + 1, text: line.trim() }));
  const checks = entries.flatMap(({ line, text: entry }) => {
    if (entry === "") return [];
    const read = readCheckEntry(entry);
    if (!read.ok) report({ kind: "check", line, text: read.problem });
    return read.ok ? [read.check] : [];
  });
  if (entries.every(({ text: entry }) => entry === "")) report({ kind: "noCheck" });
  return checks;
}

/** Whether a task waits for itself, over whatever others. */
function reaches(drafts: readonly TaskDraft[], from: readonly string[], id: string): boolean {
  const seen = new Set<string>();
  const next = [...from];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (at === id) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    next.push(...(drafts.find((draft) => draft.id === at)?.dependsOn ?? []));
  }
  return false;
}

/** With other values in one task. Those that depend on it follow its name. */
export function changeTask(drafts: readonly TaskDraft[], key: number, part: Partial<TaskDraft>): TaskDraft[] {
  const before = drafts.find((draft) => draft.key === key)?.id;
  const renamed = part.id;
  return drafts.map((draft) => {
    if (draft.key === key) return { ...draft, ...part };
    if (renamed === undefined || before === undefined || !draft.dependsOn.includes(before)) return draft;
    return { ...draft, dependsOn: draft.dependsOn.map((id) => (id === before ? renamed : id)) };
  });
}

export function addTask(drafts: readonly TaskDraft[]): TaskDraft[] {
  const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
  const id = `task-${key + 1}`;
  return [
    ...drafts,
    { ...{ key, id, title: "", instructions: "", dependsOn: [], scope: "**", checks: "", attempts: "3" } },
  ];
}

export function removeTask(drafts: readonly TaskDraft[], key: number): TaskDraft[] {
  const gone = drafts.find((draft) => draft.key === key)?.id;
  return drafts
    .filter((draft) => draft.key !== key)
    .map((draft) => ({ ...draft, dependsOn: draft.dependsOn.filter((id) => id !== gone) }));
}

function lines(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}
