import { type ArtifactRef, DrydockError, type StepOutcome } from "@drydock/protocol";
import {
  type ConversationSandbox,
  executeBlock,
  type OnProgress,
  runTask,
  runWorkflow,
  type WorkflowOutcome,
} from "../../tasks/index.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { createExecStage } from "./exec-stage.ts";
import { failedStep } from "./execute-python-task.ts";
import { type RecordedPorts, recordRun } from "./record-task.ts";
import { type OpenStage, openStage, type TaskLocation } from "./stage.ts";

export interface OpenSandbox extends ConversationSandbox {
  /** What the session is, opened if it is not. */
  open(): Promise<OpenPlace>;
  /** Files and pictures so far, each once. */
  artifacts(): ArtifactRef[];
  close(): Promise<void>;
}

export interface SandboxCaller {
  recorded: RecordedPorts;
  runId: string;
  model: string | undefined;
}

const ATTEMPTS = 3;

/**
 * The sandbox of one conversation. `findPlace` is called with the first use: a conversation that runs no code opens no
 * session.
 */
export function openConversationSandbox(
  ports: PythonTaskPorts,
  findPlace: () => Promise<TaskLocation>,
  { recorded, runId, model }: SandboxCaller,
): OpenSandbox {
  const { signal, onProgress } = recorded;
  const artifacts = new Map<string, ArtifactRef>();
  const versions = new Map<string, number>();
  let steps = 0;
  let opening: Promise<OpenPlace> | undefined;
  const open = () => {
    opening ??= (async () => {
      const place = await findPlace();
      const onOutput = (chunk: { stream: "stdout" | "stderr"; text: string }) =>
        onProgress({ kind: "output", ...chunk });
      return { ...(await openStage(ports, place, {}, { runId, signal, onOutput })), place };
    })().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const note = <T extends { artifacts: readonly ArtifactRef[] }>(ended: T): T => {
    for (const artifact of ended.artifacts) artifacts.set(`${artifact.name} ${artifact.sha256}`, artifact);
    return ended;
  };
  const nextPiece = (code: string) => {
    steps += 1;
    return { key: `step/${steps}`, attempt: steps, block: "step", code, versions };
  };
  const caller = { recorded, runId, model };
  return {
    open,
    artifacts: () => [...artifacts.values()],
    async run(code) {
      const { stage } = await open();
      return note(await executeBlock(recorded, stage, nextPiece(code)));
    },
    async runOnce({ language, code }) {
      const place = await findPlace();
      if (place.session) throw onceInSession(place.session.id);
      // The policy that holds for the session, with that of the workspace, holds here too.
      const stage = createExecStage(
        ports,
        language,
        { workspace: null, request: place.policy },
        { runId, signal, onProgress },
      );
      return note(await executeBlock(recorded, stage, nextPiece(code)));
    },
    async rollback(to) {
      const { rollback, firstStep, lastStep } = await open();
      const target = to ?? lastStep() - 1;
      if (target < firstStep) throw notOwnStep(firstStep);
      return rollback(to);
    },
    runTask: async (instruction) => note(await recordTask(ports, await open(), caller, instruction)),
    runWorkflow: async (instructions) => note(await recordWorkflow(ports, await open(), caller, instructions)),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

type OpenPlace = OpenStage & { place: TaskLocation };

async function recordTask(
  ports: PythonTaskPorts,
  opened: OpenPlace,
  caller: SandboxCaller,
  instruction: string,
): Promise<StepOutcome> {
  const { stage, files, place } = opened;
  const request = { instruction, attempts: ATTEMPTS };
  const run = { ...describeInner(place, caller, request), kind: "task" as const, title: instruction };
  const { outcome } = await recordRun<StepOutcome>(ports, run, async (taskPorts) => {
    const task = { ...request, context: {}, policy: place.policy, files, variables: {} };
    const value = await runTask(taskPorts, stage, task);
    return { value, ok: value.ok, data: { verdict: value.verdict, error: value.error } };
  });
  return outcome.kind === "done" ? outcome.value : failedStep(instruction, outcome.error);
}

async function recordWorkflow(
  ports: PythonTaskPorts,
  opened: OpenPlace,
  caller: SandboxCaller,
  instructions: readonly string[],
): Promise<WorkflowOutcome> {
  const { stage, files, place } = opened;
  const request = { instructions, attempts: ATTEMPTS, stopOnError: true, from: 1 };
  const run = { ...describeInner(place, caller, request), kind: "workflow" as const, title: instructions.join(" → ") };
  const { outcome } = await recordRun<WorkflowOutcome>(ports, run, async (taskPorts) => {
    const workflow = { ...request, context: {}, recorded: null, policy: place.policy, files, variables: {} };
    const value = await runWorkflow(taskPorts, stage, workflow);
    const error = value.steps.find(({ status }) => status === "failed")?.error ?? null;
    return { value, ok: value.ok, data: { verdict: value.verdict, error, failedStep: value.failedStep } };
  });
  if (outcome.kind === "broken") throw outcome.error;
  return outcome.value;
}

/** A run within the conversation's: it spends of the same budget, and ends with it. */
function describeInner({ policy, workspace }: TaskLocation, { recorded, runId, model }: SandboxCaller, own: object) {
  const { signal, budget } = recorded;
  // The words of the model that writes the code are no part of the answer.
  const onProgress: OnProgress = (progress) => {
    if (progress.kind !== "text") recorded.onProgress(progress);
  };
  const data = { policy, request: { ...own, model: model ?? null } };
  return { workspace, data, parentRunId: runId, model, inherited: budget, signal, onProgress };
}

function onceInSession(sessionId: string): DrydockError {
  const hint = "Run the code in the session, with session_exec.";
  const message = `This conversation is tied to session ${sessionId}; code can run only in that session.`;
  return new DrydockError("input.invalid", message, hint);
}

function notOwnStep(firstStep: number): DrydockError {
  const message = `The steps up to ${firstStep} were there before this conversation, and stay.`;
  return new DrydockError("input.invalid", message, `Name a step from ${firstStep} on.`);
}
