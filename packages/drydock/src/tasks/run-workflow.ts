import {
  type ArtifactRef,
  DrydockError,
  type StepOutcome,
  type Verdict,
  type WorkflowStepResult,
} from "@drydock/protocol";
import type { StepSummary } from "./describe-context.ts";
import type { Stage } from "./ports.ts";
import { type PromptedPorts, runStep, type TaskRequest } from "./run-task.ts";
import { execute } from "./write-code.ts";

/** What an earlier run executed for a step, in the version that succeeded. */
export interface RecordedStep {
  step: number;
  block: string;
  code: string;
}

export interface WorkflowRequest extends Omit<TaskRequest, "instruction"> {
  instructions: readonly string[];
  stopOnError: boolean;
  /** The first step that runs with a model; earlier steps come from the record. */
  from: number;
  /** Null where the session holds the state of the steps before already. */
  recorded: readonly RecordedStep[] | null;
}

export interface WorkflowOutcome {
  ok: boolean;
  steps: WorkflowStepResult[];
  failedStep: number | null;
  artifacts: ArtifactRef[];
  verdict: Verdict;
}

/**
 *     skipped | restored (before `from`) -> done | failed -> … -> all done, or one failed and the rest skipped
 *
 * The session takes back what a failed step did, so that whatever comes next stands on the last step that is done.
 */
export async function runWorkflow(
  ports: PromptedPorts,
  stage: Stage,
  request: WorkflowRequest,
): Promise<WorkflowOutcome> {
  const versions = new Map<string, number>();
  const summaries: StepSummary[] = [];
  const steps: WorkflowStepResult[] = [];
  const known = new Set<string>();
  let variables = request.variables;
  let stopped = false;
  for (const [index, instruction] of request.instructions.entries()) {
    const step = index + 1;
    const isLast = step === request.instructions.length;
    const at = { ...ports, onProgress: nameStep(ports.onProgress, step) };
    // The checks are about what the whole workflow leaves.
    const here: Stage = isLast ? stage : { ...stage, judge: undefined };
    const place = { key: `step/${step}`, block: `step-${step}`, steps: summaries, versions };
    const result = stopped
      ? skip(step, instruction)
      : step < request.from
        ? await restore(at, here, request, step, instruction, versions)
        : await live(at, here, { ...request, instruction, variables }, step, place);
    result.artifacts = result.artifacts.filter((artifact) => isNew(known, artifact));
    steps.push(result);
    if (result.status === "failed" && request.stopOnError) stopped = true;
    if (result.status === "failed" && step < request.from) stopped = true;
    if (Object.keys(result.variables).length > 0) variables = result.variables;
    if (result.status !== "skipped" || step < request.from) summaries.push(summarizeStep(result));
    await ports.journal.append([{ type: "step.finished", key: `step/${step}`, data: summarize(result) }]);
  }
  const failed = steps.find(({ status }) => status === "failed");
  return {
    ok: failed === undefined,
    steps,
    failedStep: failed?.step ?? null,
    artifacts: steps.flatMap(({ artifacts }) => artifacts),
    verdict: failed ? (failed.verdict === "failed" ? "failed" : "unverified") : (steps.at(-1)?.verdict ?? "unverified"),
  };
}

async function live(
  ports: PromptedPorts,
  stage: Stage,
  request: TaskRequest,
  step: number,
  place: Parameters<typeof runStep>[3],
): Promise<WorkflowStepResult> {
  try {
    const outcome = await runStep(ports, stage, request, place);
    return { ...outcome, step, status: outcome.ok ? "done" : "failed" };
  } catch (error) {
    // A model that can't be used fails the step, and the results of earlier steps are still returned.
    if (!(error instanceof DrydockError) || error.code === "run.cancelled" || ports.signal.aborted) throw error;
    return { ...skip(step, request.instruction), status: "failed", error: error.toInfo() };
  }
}

/** Does again what an earlier run did, without a model. */
async function restore(
  ports: PromptedPorts,
  stage: Stage,
  { recorded }: WorkflowRequest,
  step: number,
  instruction: string,
  versions: Map<string, number>,
): Promise<WorkflowStepResult> {
  if (recorded === null) return skip(step, instruction);
  const found = recorded.find((one) => one.step === step);
  if (!found) {
    throw new DrydockError(
      "input.invalid",
      `Step ${step} did not succeed in the run that is resumed.`,
      `Resume from step ${step}, or from one before it.`,
      { step },
    );
  }
  const { block, code } = found;
  const execution = await execute(ports, stage, { key: `step/${step}/restored`, attempt: 1, block, code, versions });
  const { ok, output, stderr, result, error, runId, durationMs } = execution;
  const version = versions.get(block) ?? 1;
  const attempt = { attempt: 1, block, version, code, ok, output, stderr, result, error, runId, durationMs };
  return {
    ...empty(instruction),
    ...{ ok, code, output, stderr, result, error },
    attempts: [attempt],
    variables: execution.variables,
    artifacts: execution.artifacts,
    changes: execution.changes,
    notes: execution.notes,
    step,
    status: ok ? "restored" : "failed",
  };
}

function skip(step: number, instruction: string): WorkflowStepResult {
  return { ...empty(instruction), step, status: "skipped" };
}

function empty(instruction: string): StepOutcome {
  return {
    ok: false,
    instruction,
    code: "",
    attempts: [],
    output: "",
    stderr: "",
    result: null,
    variables: {},
    artifacts: [],
    changes: [],
    verdict: "unverified",
    checks: [],
    error: null,
    notes: [],
  };
}

/** A file that an earlier step wrote is still there in the next, and is that step's. */
function isNew(known: Set<string>, { name, sha256 }: ArtifactRef): boolean {
  const id = `${name} ${sha256}`;
  if (known.has(id)) return false;
  known.add(id);
  return true;
}

function summarizeStep({ instruction, code, output, error, ok, status }: WorkflowStepResult): StepSummary {
  const failure = error ? `${error.code}: ${error.message}` : "its checks failed";
  return { instruction, code, output, error: ok || status === "skipped" ? "" : failure };
}

function summarize({
  step,
  status,
  instruction,
  attempts,
  verdict,
  error,
}: WorkflowStepResult): Record<string, unknown> {
  const last = attempts.at(-1);
  const block = last ? { block: last.block, version: last.version } : {};
  return { step, status, instruction, attempts: attempts.length, verdict, error, ...block };
}

function nameStep(onProgress: PromptedPorts["onProgress"], step: number): PromptedPorts["onProgress"] {
  return (progress) => onProgress({ ...progress, step });
}
