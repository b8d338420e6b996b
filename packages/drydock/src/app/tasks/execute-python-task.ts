import {
  Check,
  DrydockError,
  explainIssue,
  type PythonTaskResult,
  type PythonWorkflowResult,
  type RunEvent,
  type StepOutcome,
  TaskContext,
} from "@drydock/protocol";
import * as z from "zod";
import { isTooDeep, MAX_LEVELS } from "../../base/json-schema/index.ts";
import {
  type PythonTaskOptions,
  type PythonWorkflowOptions,
  type RecordedStep,
  runTask,
  runWorkflow,
  type WorkflowOutcome,
} from "../../tasks/index.ts";
import { refuseUnknownOptions } from "../runs/refuse-unknown-options.ts";
import { describeAttachments } from "./attachments.ts";
import { listBlocks } from "./blocks.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { readContextText, readJsonText, TASK_OPTIONS } from "./read-options.ts";
import { recordRun } from "./record-task.ts";
import { findPlace, invalidTaskError, openStage, type TaskLocation } from "./stage.ts";

const DEFAULT_ATTEMPTS = 3;
const MAX_ATTEMPTS = 20;
const MAX_INSTRUCTION_CHARS = 200_000;
const MAX_STEPS = 100;

/** Options for other use cases only. */
interface TaskExtras {
  /** The run that this one repeats, and the replay that it is a part of. */
  replayOf?: string;
  parentRunId?: string;
  /** What a workflow that is repeated took over from the run that it resumed. */
  restored?: RecordedStep[];
}

export async function executePythonTask(
  ports: PythonTaskPorts,
  instruction: string,
  options: PythonTaskOptions,
  extras: Omit<TaskExtras, "restored"> = {},
): Promise<PythonTaskResult> {
  const text = readInstruction(instruction);
  refuseUnknownOptions(TASK_OPTIONS.task, options);
  const { context, attempts, checks } = readOptions(options);
  const place = await findPlace(ports, { ...options, attachments: options.attachments ?? [], checks });
  const request = describeRequest(ports, options, place, { instruction: text, attempts });
  const recorded = await recordRun<StepOutcome>(
    ports,
    { ...options, ...extras, ...pickRun(place, request), kind: "task", title: text },
    async (taskPorts, runId) => {
      const onOutput = forwardOutput(options, taskPorts.onProgress);
      const opened = await openStage(ports, place, context, { runId, signal: taskPorts.signal, onOutput });
      try {
        const promptContext = notePackages(context, opened.packages);
        const taskRequest = {
          instruction: text,
          context: promptContext,
          attempts,
          policy: place.policy,
          files: opened.files,
          variables: {},
        };
        const value = await runTask(taskPorts, opened.stage, taskRequest);
        return { value, ok: value.ok, data: { verdict: value.verdict, error: value.error } };
      } finally {
        await opened.close();
      }
    },
  );
  const { runId, usage, outcome } = recorded;
  const value = outcome.kind === "done" ? outcome.value : failedStep(text, outcome.error);
  return { ...value, runId, sessionId: place.session?.id ?? null, usage };
}

export async function executePythonWorkflow(
  ports: PythonTaskPorts,
  instructions: readonly string[] | string,
  options: PythonWorkflowOptions,
  { restored, ...extras }: TaskExtras = {},
): Promise<PythonWorkflowResult> {
  refuseUnknownOptions(TASK_OPTIONS.workflow, options);
  const old = options.resumeFrom && !restored ? await readOldRun(ports, options.resumeFrom) : null;
  const texts = readInstructions(instructions.length === 0 && old ? old.instructions : instructions);
  const { context, attempts, checks } = readOptions({ ...options, context: options.context ?? old?.context });
  const from = options.resumeFrom?.step ?? 1;
  if (!Number.isInteger(from) || from < 1 || from > texts.length) {
    throw invalidTaskError(`resumeFrom.step is ${from}, and the workflow has the steps 1 to ${texts.length}.`);
  }
  const stopOnError = options.stopOnError ?? true;
  const place = await findPlace(ports, { ...options, attachments: options.attachments ?? [], checks });
  const recordedSteps = restored ?? (place.session ? null : (old?.steps ?? []));
  const missing = recordedSteps && firstMissing(recordedSteps, from);
  if (missing)
    throw invalidTaskError(
      `Step ${missing} did not succeed in run ${options.resumeFrom?.runId}: resume from it, or before.`,
    );
  const own = { instructions: texts, context, attempts, stopOnError, from };
  const request = describeRequest(ports, options, place, own);
  const recorded = await recordRun<WorkflowOutcome>(
    ports,
    { ...options, ...extras, ...pickRun(place, request), kind: "workflow", title: texts.join(" → ") },
    async (taskPorts, runId) => {
      const onOutput = forwardOutput(options, taskPorts.onProgress);
      const opened = await openStage(ports, place, context, { runId, signal: taskPorts.signal, onOutput });
      try {
        const value = await runWorkflow(taskPorts, opened.stage, {
          ...{ instructions: texts, context: notePackages(context, opened.packages), attempts, stopOnError, from },
          variables: {},
          policy: place.policy,
          files: opened.files,
          recorded: recordedSteps,
        });
        const error = value.steps.find(({ status }) => status === "failed")?.error ?? null;
        return { value, ok: value.ok, data: { verdict: value.verdict, error, failedStep: value.failedStep } };
      } finally {
        await opened.close();
      }
    },
  );
  const { runId, usage, outcome } = recorded;
  const sessionId = place.session?.id ?? null;
  if (outcome.kind === "done") {
    const error = outcome.value.steps.find(({ status }) => status === "failed")?.error ?? null;
    return { ...outcome.value, runId, sessionId, error, usage };
  }
  const nothing = { steps: [], failedStep: null, artifacts: [], verdict: "unverified" as const };
  return { ok: false, runId, sessionId, ...nothing, error: outcome.error.toInfo(), usage };
}

function pickRun({ workspace, policy, files }: TaskLocation, request: Record<string, unknown>) {
  return { workspace, files, data: { policy, request } };
}

function readOptions({ context = {}, attempts = DEFAULT_ATTEMPTS, checks = [] }: PythonTaskOptions) {
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > MAX_ATTEMPTS) {
    throw invalidTaskError(`attempts is ${attempts}: it must be a whole number from 1 to ${MAX_ATTEMPTS}.`);
  }
  return {
    attempts,
    context: parse(TaskContext, readContextText(context), "context"),
    checks: parse(z.array(Check), checks, "checks"),
  };
}

export function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  if (isTooDeep(value)) {
    throw invalidTaskError(`${what}: is nested more than ${MAX_LEVELS} levels deep.`, "Give a flatter value.");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidTaskError(
    `${[what, ...(issue?.path ?? [])].join(".")}: ${issue ? explainIssue(issue) : "can't be read"}.`,
  );
}

export function readInstruction(instruction: unknown): string {
  if (typeof instruction !== "string" || instruction.trim() === "")
    throw invalidTaskError("The instruction is empty.", "Say in words what you want to know or have.");
  if (instruction.length > MAX_INSTRUCTION_CHARS) {
    const hint = "Put what is long into a file, and attach it.";
    throw invalidTaskError(`The instruction has over ${MAX_INSTRUCTION_CHARS} characters.`, hint);
  }
  return instruction.toWellFormed();
}

function readInstructions(input: unknown): string[] {
  const instructions = input === "" ? [] : readJsonText(input, "instructions");
  if (!Array.isArray(instructions))
    throw invalidTaskError("instructions: must be a list of texts, or one as JSON text.");
  if (instructions.length === 0) throw invalidTaskError("There are no instructions.");
  if (instructions.length > MAX_STEPS) throw invalidTaskError(`A workflow has ${MAX_STEPS} steps at most.`);
  return instructions.map(readInstruction);
}

interface OldRun {
  instructions: string[];
  context: TaskContext | undefined;
  steps: RecordedStep[];
}

/** What an earlier workflow did; a block that a person edited since counts in its last version. */
async function readOldRun(ports: PythonTaskPorts, { runId }: { runId: string }): Promise<OldRun> {
  const blocks = await listBlocks(ports, runId);
  const events = await ports.readEvents(runId);
  const created = events.find(({ type }) => type === "run.created");
  const request = z
    .looseObject({ instructions: z.array(z.string()), context: TaskContext.optional() })
    .safeParse(created?.data.request);
  if (!request.success) {
    throw new DrydockError("input.invalid", `Run ${runId} is not a workflow.`, "Name a run of executePythonWorkflow.", {
      runId,
    });
  }
  const steps = events.flatMap(({ type, data }: RunEvent) => {
    if (type !== "step.finished" || (data.status !== "done" && data.status !== "restored")) return [];
    const versions = blocks.filter(({ name }) => name === data.block);
    const own = versions.find(({ version }) => version === data.version);
    const edited = versions.findLast(({ author, version }) => author === "person" && version > Number(data.version));
    const chosen = edited ?? own;
    return chosen ? [{ step: Number(data.step), block: chosen.name, code: chosen.code }] : [];
  });
  return { ...request.data, context: request.data.context, steps };
}

function firstMissing(steps: readonly RecordedStep[], from: number): number | null {
  for (let step = 1; step < from; step++) if (!steps.some((one) => one.step === step)) return step;
  return null;
}

/** What of the request goes on record; attachments by name and hash. */
function describeRequest(
  { ledger }: PythonTaskPorts,
  options: PythonTaskOptions & { resumeFrom?: unknown },
  { files, packages }: TaskLocation,
  own: Record<string, unknown>,
) {
  const { context, session, model, checks, attachments, resumeFrom, install } = options;
  return {
    ...{ context, session, model, checks, resumeFrom, requirements: packages?.requirements, install },
    ...(attachments && { attachments: describeAttachments(ledger, files) }),
    ...own,
  };
}

/** A model that does not know which packages there are writes code without them. */
function notePackages(context: TaskContext, packages: string): TaskContext {
  if (packages === "") return context;
  return { ...context, notes: [context.notes, describePackagesFor(packages)].filter(Boolean).join("\n") };
}

export function describePackagesFor(packages: string): string {
  return packages === "" ? "" : `Packages that are installed: ${packages}`;
}

type Chunk = { stream: "stdout" | "stderr"; text: string };

function forwardOutput({ onOutput }: PythonTaskOptions, onProgress: (progress: Chunk & { kind: "output" }) => void) {
  return (chunk: Chunk) => {
    onOutput?.(chunk);
    onProgress({ kind: "output", ...chunk });
  };
}

/** A step that could not be carried out at all. */
export function failedStep(instruction: string, error: DrydockError): StepOutcome {
  return {
    ...{ ok: false, instruction, code: "", attempts: [], output: "", stderr: "", result: null, variables: {} },
    ...{ artifacts: [], changes: [], verdict: "unverified", checks: [], error: error.toInfo(), notes: [] },
  };
}
