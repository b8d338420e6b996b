import {
  DrydockError,
  EffectivePolicy,
  explainIssues,
  hasEnded,
  Plan,
  type Run,
  type RunEvent,
} from "@drydock/protocol";
import type { NewRun } from "../../ledger/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { ModelSettings } from "../models/index.ts";
import { openModel } from "../models/index.ts";
import { cutRedacted } from "../runs/record/cut-redacted.ts";
import { refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import { requireRun } from "../runs/require-run.ts";
import { collectChecks } from "../verify/index.ts";
import type { GoalOptions, GoalResult, ResumeOptions } from "./api.ts";
import { continueRun, type GoalRun } from "./continue-run.ts";
import { findBase } from "./find-base.ts";
import { readComments } from "./follow/read-comments.ts";
import { GOAL_OPTIONS, RESUME_OPTIONS } from "./goal-options.ts";
import type { GoalPorts } from "./goal-ports.ts";
import type { GoalRequest } from "./goal-request.ts";
import { readDemands } from "./read-demands.ts";
import { chooseWorker, REPAIR_DEFAULTS, readWorker, refuseModelOptions } from "./read-worker.ts";
import { requireFollowable } from "./require-followable.ts";

const TITLE_CHARS = 200;
const MODEL_ONLY = { worker: "model", thenRepair: false, bestOf: 1, repair: REPAIR_DEFAULTS } as const;

/** A new run for a goal or a plan. Rejects for what can't be read; all else is a result and on record. */
export async function startGoal(ports: GoalPorts, options: GoalOptions): Promise<GoalResult> {
  return continueRun(ports, await createGoalRun(ports, options));
}

export async function createGoalRun(ports: GoalPorts, options: GoalOptions): Promise<GoalRun> {
  return prepareRun(ports, await readGoal(ports, options));
}

/** The run as it will be on record. Rejects for what can't be read. */
export async function readGoal(ports: GoalPorts, options: GoalOptions): Promise<NewGoal> {
  refuseUnknownOptions(GOAL_OPTIONS, options);
  const plan = readPlan(options);
  checkStaleSeconds(options.staleSeconds);
  const demands = readDemands(options);
  const comments = readComments(options);
  const workspace = resolveWorkspace(options.workspace, ports.own);
  if (options.follow !== undefined) await requireFollowable(ports, options.follow, workspace);
  const goal = options.goal ?? plan?.goal ?? (await readGoalOf(ports, options.follow));
  if (options.branch !== undefined) await ports.checkBranch(workspace, options.branch);
  const resolved = await ports.policies.resolve({ workspace, request: options.policy });
  const { effective: policy } = resolved;
  const settings = await ports.readModelSettings(options.model);
  const defaults = await ports.readDefaults();
  const request: GoalRequest = {
    goal,
    plan,
    planSource: plan === null ? null : (options.planSource ?? "given"),
    ...readWorker(options, settings),
    way: options.way ?? "tools",
    apply: options.apply ?? "auto",
    branch: options.branch ?? null,
    budget: options.budget ?? {},
    staleSeconds: options.staleSeconds ?? defaults.staleSeconds,
    staleAutoReset: options.staleAutoReset ?? defaults.staleAutoReset,
    checks: await collectChecks(resolved, workspace, options.checks ?? []),
    ...demands,
    ...(options.follow !== undefined && { follow: { run: options.follow, ...comments } }),
    ...(options.reviewPlan && { reviewPlan: true }),
  };
  return { title: goal, workspace, policy, request, settings, watch: options };
}

/** A run that follows another, and names no goal, has the goal of that one. */
async function readGoalOf({ readEvents }: GoalPorts, runId: string | undefined): Promise<string> {
  if (runId === undefined) return "";
  const [created] = await readEvents(runId);
  return String(Object(created?.data.request).goal ?? "");
}

export interface NewGoal extends Pick<GoalRun, "workspace" | "policy" | "request" | "watch"> {
  title: string;
  settings: ModelSettings;
}

/** Puts a run on record, ready to be carried on. */
export async function prepareRun(ports: GoalPorts, goal: NewGoal): Promise<GoalRun> {
  const { workspace, policy, request, watch } = goal;
  const { id } = await ports.ledger.createRun(describeGoal(ports, goal));
  const [created] = await ports.readEvents(id);
  if (created) watch.onEvent?.(created);
  const { detected } = goal.settings;
  if (detected && request.model?.[0] === detected.model) {
    watch.onProgress?.({ kind: "notice", task: null, text: detected.reason });
  }
  const openOwnModel = modelOpener(goal.settings, request, watch);
  return { runId: id, workspace, policy, request, watch, openModel: openOwnModel, ...followerOf(ports, request) };
}

/** What is put on record of a goal before anything is done. */
export function describeGoal({ ledger }: Pick<GoalPorts, "ledger">, goal: NewGoal): NewRun {
  const { workspace, policy, request } = goal;
  return { kind: "goal", title: cutRedacted(ledger, goal.title, TITLE_CHARS), workspace, data: { policy, request } };
}

function modelOpener(settings: ModelSettings, request: GoalRequest, watch: Pick<GoalOptions, "onProgress">) {
  const onNotice = (text: string) => watch.onProgress?.({ kind: "notice", task: null, text });
  return (events: readonly RunEvent[]) => {
    // Another script has used up none of its answers yet.
    const own = request.from && !request.from.sameModel ? events.filter((event) => !isTaken(event)) : events;
    return openModel(settings, request, own, onNotice);
  };
}

/** Carries on a run that this process has claimed as a worker, from where its record ends. */
export async function carryGoal(ports: GoalPorts, run: Run, watch: Pick<ResumeOptions, "signal">): Promise<void> {
  const { workspace, policy, request } = readFrozen(run, (await ports.readEvents(run.id))[0]);
  await ports.policies.resolve({ workspace, request: policy });
  const settings = await ports.readModelSettings(undefined);
  const openOwnModel = modelOpener(settings, request, {});
  const findInitial = request.from && (await findOldBase(ports, request.from.run));
  const parts = { workspace, policy, request, watch, findInitial, ...followerOf(ports, request) };
  await continueRun(ports, { runId: run.id, isClaimed: true, openModel: openOwnModel, ...parts });
}

/** Takes up a run that was paused or interrupted, from where its record ends. */
export async function resumeGoal(ports: GoalPorts, runId: string, options: ResumeOptions): Promise<GoalResult> {
  refuseUnknownOptions(RESUME_OPTIONS, options);
  const run = await requireRun(ports.ledger, runId);
  const [created] = await ports.readEvents(runId);
  const frozen = readFrozen(run, created);
  checkStaleSeconds(options.staleSeconds);
  const settings = await ports.readModelSettings(options.model);
  const request: GoalRequest = {
    ...frozen.request,
    ...(options.model !== undefined && chooseWorker(settings)),
    ...(options.apply !== undefined && { apply: options.apply }),
    ...(options.staleSeconds !== undefined && { staleSeconds: options.staleSeconds }),
    ...(options.staleAutoReset !== undefined && { staleAutoReset: options.staleAutoReset }),
    ...(options.budget !== undefined && { budget: options.budget }),
  };
  refuseModelOptions({ budget: options.budget }, request.worker);
  if (!hasEnded(run)) {
    // The run keeps its policy; but nothing goes on under one that its owner would not allow any more.
    await ports.policies.resolve({ workspace: frozen.workspace, request: frozen.policy });
    const resumed = await ports.ledger.resume(runId);
    options.onEvent?.(resumed);
  }
  return continueRun(ports, {
    runId,
    workspace: frozen.workspace,
    policy: frozen.policy,
    request,
    watch: options,
    openModel: modelOpener(settings, request, options),
    findInitial: request.from && (await findOldBase(ports, request.from.run)),
    ...followerOf(ports, request),
  });
}

function followerOf(ports: GoalPorts, { follow, worker }: GoalRequest): Pick<GoalRun, "findFollowed"> {
  if (!follow) return {};
  return {
    findFollowed: async (workbench) =>
      (await import("./follow/find-followed.ts")).findFollowed(ports, { ...follow, worker }, workbench),
  };
}

/** What a run that goes on from an older one stands on. */
export async function findOldBase(ports: GoalPorts, oldId: string): Promise<GoalRun["findInitial"]> {
  const events = await ports.readEvents(oldId);
  return (workbench) => findBase(ports.ledger.blobs, workbench, events);
}

/** Whether the event was taken over from another run. */
export function isTaken({ data }: RunEvent): boolean {
  return data.takenFrom !== undefined;
}

interface Frozen {
  workspace: string;
  policy: EffectivePolicy;
  request: GoalRequest;
}

type Deed = "resumed" | "replayed" | "run again from a task";

/** The run's own record has the request and the policy: neither may change while it is under way. */
export function readFrozen(run: Run, created: RunEvent | undefined, deed: Deed = "resumed"): Frozen {
  const policy = EffectivePolicy.safeParse(created?.data.policy);
  if (run.kind !== "goal" || run.workspace === null || !policy.success) {
    throw new DrydockError(
      "input.invalid",
      `Run ${run.id} is of the kind ${run.kind}, which can't be ${deed}.`,
      `Only runs of \`drydock run\` can be ${deed}. \`drydock runs show ${run.id}\` shows what this one did.`,
      { runId: run.id, kind: run.kind },
    );
  }
  // Runs of versions without these options.
  const unsaid = { checks: [], mayChange: [], minStrength: null, byModel: false, ...MODEL_ONLY };
  const request = { ...unsaid, ...(created?.data.request as GoalRequest) };
  return { workspace: run.workspace, policy: policy.data, request };
}

function checkStaleSeconds(seconds = 0): void {
  if (Number.isFinite(seconds) && seconds >= 0) return;
  const hint = "Give seconds, or 0 for never.";
  throw new DrydockError("input.invalid", `staleSeconds can't be ${seconds}.`, hint, { seconds });
}

function readPlan({ goal, plan, follow }: GoalOptions): Plan | null {
  const isNothing = goal === undefined && plan === undefined && follow === undefined;
  if (isNothing || (goal !== undefined && plan !== undefined)) {
    throw new DrydockError(
      "input.invalid",
      isNothing ? "There is neither a goal nor a plan." : "There are both a goal and a plan.",
      "Give one of them: a goal in words, or a plan.",
    );
  }
  if (goal !== undefined && goal.trim() === "") {
    throw new DrydockError("input.invalid", "The goal is empty.", "Say in a sentence what is to be done.");
  }
  if (plan === undefined) return null;
  const parsed = Plan.safeParse(plan);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues, "plan");
  throw new DrydockError(
    "input.invalid",
    `The plan can't be read: ${problems.slice(0, 5).join("; ")}.`,
    "A plan is { goal, tasks: [{ id, title, instructions, dependsOn, scope, checks, attempts }] }.",
    { problems },
  );
}
