import type { ArtifactRef, StepOutcome } from "@drydock/protocol";
import {
  type ConversationSandbox,
  executeBlock,
  runTask,
  runWorkflow,
  type WorkflowOutcome,
} from "../../tasks/index.ts";
import type { PythonTaskPorts } from "./create-python-tasks.ts";
import { createExecStage } from "./exec-stage.ts";
import { type RecordedPorts, type RecordRequest, recordRun } from "./record-task.ts";
import { failedStep } from "./run-task.ts";
import { type OpenStage, openStage, type Place } from "./stage.ts";

export interface OpenSandbox extends ConversationSandbox {
  /** What the session is, opened if it is not. */
  open(): Promise<OpenStage>;
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
 * The sandbox of one conversation. `findPlace` is asked with the first use: a conversation that runs no code opens no
 * session.
 */
export function openConversationSandbox(
  ports: PythonTaskPorts,
  findPlace: () => Promise<Place>,
  { recorded, runId, model }: SandboxCaller,
): OpenSandbox {
  const { signal, onProgress } = recorded;
  const artifacts = new Map<string, ArtifactRef>();
  const versions = new Map<string, number>();
  let steps = 0;
  let opening: Promise<OpenStage & { place: Place }> | undefined;
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
  const record = async <T extends StepOutcome | WorkflowOutcome>(
    request: Pick<RecordRequest, "kind" | "title"> & { own: Record<string, unknown> },
    work: (taskPorts: RecordedPorts, opened: OpenStage, place: Place) => Promise<T>,
  ) => {
    const { kind, title, own } = request;
    const opened = await open();
    const { policy, workspace } = opened.place;
    const data = { policy, request: { ...own, model: model ?? null } };
    const common = { kind, title, workspace, data, parentRunId: runId, model, inherited: recorded.budget };
    return recordRun<T>(ports, { ...common, signal, onProgress }, async (taskPorts) => {
      const value = await work(taskPorts, opened, opened.place);
      return { value, ok: value.ok, data: { verdict: value.verdict } };
    });
  };
  return {
    open,
    artifacts: () => [...artifacts.values()],
    async run(code) {
      const { stage } = await open();
      return note(await executeBlock(recorded, stage, nextPiece(code)));
    },
    async runOnce({ language, code }) {
      const { request } = await findPlace();
      const stage = createExecStage(ports, language, { workspace: null, request }, { runId, signal, onProgress });
      return note(await executeBlock(recorded, stage, nextPiece(code)));
    },
    rollback: async (to) => (await open()).rollback(to),
    async runTask(instruction) {
      const own = { instruction, attempts: ATTEMPTS };
      const { outcome } = await record(
        { kind: "task", title: instruction, own },
        (taskPorts, { stage, files }, { policy }) =>
          runTask(taskPorts, stage, { instruction, context: {}, attempts: ATTEMPTS, policy, files, variables: {} }),
      );
      return note(outcome.kind === "done" ? outcome.value : failedStep(instruction, outcome.error));
    },
    async runWorkflow(instructions) {
      const own = { instructions, attempts: ATTEMPTS, stopOnError: true, from: 1 };
      const title = instructions.join(" → ");
      const { outcome } = await record({ kind: "workflow", title, own }, (taskPorts, { stage, files }, { policy }) =>
        runWorkflow(taskPorts, stage, {
          ...{ instructions, context: {}, attempts: ATTEMPTS, stopOnError: true, from: 1, recorded: null },
          ...{ policy, files, variables: {} },
        }),
      );
      if (outcome.kind === "broken") throw outcome.error;
      return note(outcome.value);
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
