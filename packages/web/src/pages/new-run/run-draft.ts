import { type PolicyDocument, readCheckEntry } from "@drydock/protocol";
import type { client } from "../../data/client.ts";
import type { NewRunSearch } from "./route.ts";

export const WORKERS = ["configured", "repair", "model"] as const;
export type Worker = (typeof WORKERS)[number];

/** The form, as a person fills it in: texts, which may not be valid yet. */
export interface RunDraft {
  goal: string;
  workspace: string;
  follow: string;
  worker: Worker;
  model: string;
  /** One check a line. */
  checks: string;
  reviewPlan: boolean;
  apply: "auto" | "never";
  bestOf: string;
  thenRepair: boolean;
  tokens: string;
  usd: string;
  repairSeconds: string;
  /** In percent. */
  minStrength: string;
  mayChange: string;
  /** What the request asks of the policy; empty: what holds anyway. */
  write: string;
  hosts: string;
  seconds: string;
  memory: string;
}

/** The part of it that is about the policy. */
type PolicyDraft = Pick<RunDraft, "write" | "hosts" | "seconds" | "memory">;

export function beginDraft({ goal = "", workspace = "", follow = "" }: NewRunSearch): RunDraft {
  return {
    ...{ goal, workspace, follow, worker: "configured", model: "", checks: "", reviewPlan: false, apply: "never" },
    ...{ bestOf: "", thenRepair: false, tokens: "", usd: "", repairSeconds: "", minStrength: "", mayChange: "" },
    ...{ write: "", hosts: "", seconds: "", memory: "" },
  };
}

export type DraftProblems = Partial<Record<keyof RunDraft, Problem>>;
/** `required`, `number`, `whole`: known to the dictionary. `check`: `text` says what is wrong, `line` where. */
export type Problem =
  | { kind: "required" | "number" | "whole" | "path" | "percent" }
  | { kind: "check"; line: number; text: string };

export type RunRequest = Extract<Parameters<typeof client.runs.create>[0], { kind: "goal" }>;

/** What keeps the form from being sent; empty if nothing does. */
export function findProblems(draft: RunDraft): DraftProblems {
  const problems: DraftProblems = {};
  const demand = (name: keyof RunDraft, isWrong: boolean, problem: Problem) => {
    if (isWrong) problems[name] ??= problem;
  };
  demand("goal", draft.goal.trim() === "" && draft.follow === "", { kind: "required" });
  demand("workspace", draft.workspace.trim() === "", { kind: "required" });
  demand("workspace", !draft.workspace.trim().startsWith("/"), { kind: "path" });
  demand("model", draft.worker === "model" && draft.model.trim() === "", { kind: "required" });
  for (const name of ["bestOf", "tokens"] as const) demand(name, !isWhole(draft[name]), { kind: "whole" });
  for (const name of ["usd", "seconds", "memory", "repairSeconds"] as const) {
    demand(name, !isPositive(draft[name]), { kind: "number" });
  }
  demand("minStrength", !isPositive(draft.minStrength) || Number(draft.minStrength) > 100, { kind: "percent" });
  for (const [index, entry] of draft.checks.split("\n").entries()) {
    if (entry.trim() === "") continue;
    const read = readCheckEntry(entry.trim());
    if (!read.ok) demand("checks", true, { kind: "check", line: index + 1, text: read.problem });
  }
  return problems;
}

/** What the form says, as the server takes it. What does not fit the one who works is left out: its fields are not shown. */
export function toRequest(draft: RunDraft): RunRequest {
  const { worker, bestOf, tokens, usd, repairSeconds, minStrength } = draft;
  const policy = toPolicy(draft);
  const usesModel = worker !== "repair";
  const usesRepair = worker === "repair" || (usesModel && draft.thenRepair);
  const budget = { ...number("tokens", tokens), ...number("usd", usd) };
  const checks = lines(draft.checks);
  const mayChange = lines(draft.mayChange);
  return {
    kind: "goal",
    ...(draft.goal.trim() !== "" && { goal: draft.goal.trim() }),
    workspace: draft.workspace.trim(),
    apply: draft.apply,
    ...(draft.follow !== "" && { follow: draft.follow }),
    ...(worker === "repair" && { model: "repair" }),
    ...(worker === "model" && { model: draft.model.trim() }),
    ...(draft.reviewPlan && { reviewPlan: true }),
    ...(checks.length > 0 && { checks }),
    ...(mayChange.length > 0 && { mayChange }),
    ...(usesModel && number("bestOf", bestOf)),
    ...(usesModel && draft.thenRepair && { thenRepair: true }),
    ...(usesModel && Object.keys(budget).length > 0 && { budget }),
    ...(usesRepair && repairSeconds.trim() !== "" && { repair: { seconds: Number(repairSeconds) } }),
    ...(minStrength.trim() !== "" && { minStrength: Number(minStrength) / 100 }),
    ...(policy !== null && { policy }),
  };
}

/** What the form asks of the policy; null: nothing. Numbers that are none yet are left out. */
export function toPolicy({ write, hosts, seconds, memory }: PolicyDraft): PolicyDocument | null {
  const limits = {
    ...(isPositive(seconds) && number("wallSeconds", seconds)),
    ...(isPositive(memory) && number("memoryMb", memory)),
  };
  const policy: PolicyDocument = {
    ...(lines(write).length > 0 && { files: { write: lines(write) } }),
    ...(lines(hosts).length > 0 && { network: { allow: lines(hosts) } }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  return Object.keys(policy).length === 0 ? null : policy;
}

function lines(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function number<K extends string>(name: K, text: string): Partial<Record<K, number>> {
  return text.trim() === "" ? {} : ({ [name]: Number(text) } as Record<K, number>);
}

function isPositive(text: string): boolean {
  return text.trim() === "" || Number(text) > 0;
}

function isWhole(text: string): boolean {
  return isPositive(text) && Number.isInteger(Number(text));
}
