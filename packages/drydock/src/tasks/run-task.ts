import type { EffectivePolicy, StepOutcome, TaskContext } from "@drydock/protocol";
import { describeSandbox, describeSurroundings, type StepSummary } from "./describe-context.ts";
import type { Stage, TaskPorts } from "./ports.ts";
import type { TaskPrompts } from "./prompts/load-prompts.ts";
import { writeCode } from "./write-code.ts";

export interface TaskRequest {
  instruction: string;
  context: TaskContext;
  attempts: number;
  policy: EffectivePolicy;
  files: readonly string[];
  /** Names and types of what the session holds. */
  variables: Readonly<Record<string, string>>;
}

export type PromptedPorts = TaskPorts & { prompts: TaskPrompts };

/** One instruction, on the state that the stage is in. */
export async function runTask(ports: PromptedPorts, stage: Stage, request: TaskRequest): Promise<StepOutcome> {
  return runStep(ports, stage, request, { key: "task", block: "task", steps: [], versions: new Map() });
}

export interface StepPlace {
  key: string;
  block: string;
  steps: readonly StepSummary[];
  versions: Map<string, number>;
}

export async function runStep(
  ports: PromptedPorts,
  stage: Stage,
  request: TaskRequest,
  { key, block, steps, versions }: StepPlace,
): Promise<StepOutcome> {
  const { instruction, context, attempts, policy, files, variables } = request;
  const { language } = stage;
  const system = await ports.prompts.render("code-system", describeSandbox(language, policy, true));
  const around = { instruction, context, steps, variables, files };
  const prompt = await ports.prompts.render("code", describeSurroundings(language, around));
  return writeCode(ports, stage, { key, instruction, block, versions, system, prompt, attempts });
}
