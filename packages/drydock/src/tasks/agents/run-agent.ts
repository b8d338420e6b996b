import {
  type AgentToolCall,
  DrydockError,
  type EffectivePolicy,
  type ExecutedCode,
  explainIssues,
  type ModelMessage,
} from "@drydock/protocol";
import type * as z from "zod";
import { converse, type Toolbox } from "../converse.ts";
import { describeSandbox } from "../describe-context.ts";
import type { Stage, TaskPorts } from "../ports.ts";
import type { TaskPrompts } from "../prompts/load-prompts.ts";
import { writeCode } from "../write-code.ts";
import type { AgentHooks } from "./agent.ts";
import type { PreparedAgent } from "./prepare-agent.ts";
import { protectHooks } from "./protect-hooks.ts";

const MAX_TURNS = 10;
const REPAIRS = 2;
const ATTEMPTS = 3;
const PROBLEMS = 10;

export interface AgentWork {
  agent: PreparedAgent;
  input: unknown;
  toolbox: Toolbox;
  policy: EffectivePolicy;
  /** Where code is run; only agents that execute have one. */
  stage: Stage | null;
}

export interface AgentOutcome {
  output: unknown;
  ok: boolean;
  toolCalls: AgentToolCall[];
}

/** The input as the agent's schema has it; a bare text stands for the one text that it needs. */
export async function readInput({ definition, input, soleText }: PreparedAgent, rawInput: unknown): Promise<unknown> {
  const value = typeof rawInput === "string" && soleText !== null ? { [soleText]: rawInput } : rawInput;
  const parsed = await input.safeParseAsync(value);
  if (parsed.success) return parsed.data;
  throw new DrydockError(
    "input.invalid",
    `agent ${definition.name}: the input is not valid: ${describeIssues(parsed.error).join("; ")}.`,
    "Pass a value that fits the agent's input schema.",
    { agent: definition.name, problems: describeIssues(parsed.error) },
  );
}

export async function runAgent(ports: TaskPorts & { prompts: TaskPrompts }, work: AgentWork): Promise<AgentOutcome> {
  const { agent, input } = work;
  const hooks = protectHooks(agent.definition.name, (agent.definition.hooks ?? {}) as AgentHooks<unknown, unknown>);
  const toolCalls: AgentToolCall[] = [];
  const toolbox: Toolbox = {
    specs: work.toolbox.specs,
    async call(name, args) {
      const call = await work.toolbox.call(name, args);
      toolCalls.push(call);
      await hooks.afterTool?.({ input, call });
      return call;
    },
  };
  const values = agent.values(input);
  const rendered = agent.prompt(values);
  const prompt = (await hooks.beforeGenerate?.({ input, prompt: rendered })) ?? rendered;
  const system = agent.system?.(values) ?? "";
  const here = { ...work, toolbox, hooks, prompt, system };
  const outcome = work.stage ? await executeCode(ports, here, work.stage) : await answer(ports, here);
  const output = (await hooks.afterCall?.({ input, output: outcome.output })) ?? outcome.output;
  return { ...outcome, output, toolCalls };
}

interface Prompted extends AgentWork {
  hooks: AgentHooks<unknown, unknown>;
  prompt: string;
  system: string;
}

type Answered = Pick<AgentOutcome, "output" | "ok">;

/** Text, or a value of the output's shape; one that is not valid is sent back, a bounded number of times. */
async function answer(ports: TaskPorts, { agent, input, toolbox, hooks, prompt, system }: Prompted): Promise<Answered> {
  const { definition, outputSchema, output: schema } = agent;
  const { name: task, maxTurns = MAX_TURNS, repairs = REPAIRS } = definition;
  const messages: ModelMessage[] = [{ role: "user", text: prompt }];
  const shape = outputSchema ? { name: `${task}-output`, schema: outputSchema } : undefined;
  let problems: string[] = [];
  for (let attempt = 1; attempt <= repairs + 1; attempt++) {
    const talk = {
      key: `answer/${attempt}`,
      step: "chat" as const,
      task,
      system,
      messages,
      attempt,
      maxTurns,
      toolbox,
    };
    const answer = await converse(ports, { ...talk, output: shape });
    const changed = await hooks.afterGenerate?.({ input, text: answer.text });
    const read = shape ? readJson(changed, answer) : { ok: true as const, value: changed ?? answer.text };
    const parsed = read.ok ? await schema.safeParseAsync(read.value) : null;
    if (parsed?.success) return { output: parsed.data, ok: true };
    problems = parsed ? describeIssues(parsed.error) : [read.ok ? "" : read.problem];
    const reasons = problems.map((problem) => `- ${problem}`).join("\n");
    messages.push({ role: "user", text: `That answer can't be used:\n${reasons}\nAnswer again.` });
  }
  throw new DrydockError(
    "model.failed",
    `agent ${task}: the output is not valid after ${repairs + 1} answers: ${problems.join("; ")}.`,
    "Say in the prompt what the output must be, or use a model that keeps to it.",
    { agent: task, problems },
  );
}

type ReadJson = { ok: true; value: unknown } | { ok: false; problem: string };

function readJson(changed: string | undefined, { json, text }: { json?: unknown; text: string }): ReadJson {
  if (changed === undefined && json !== undefined) return { ok: true, value: json };
  try {
    return { ok: true, value: JSON.parse(changed ?? text) };
  } catch (error) {
    return { ok: false, problem: `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function executeCode(
  ports: TaskPorts & { prompts: TaskPrompts },
  { agent, input, toolbox, hooks, prompt, system, policy }: Prompted,
  stage: Stage,
): Promise<Answered> {
  const { definition, output: schema } = agent;
  const { name, execute, maxTurns = MAX_TURNS } = definition;
  const sandbox = await ports.prompts.render("code-system", describeSandbox(stage.language, policy, false));
  const outcome = await writeCode(ports, stage, {
    ...{ key: "code", task: name, block: name, instruction: prompt, prompt, toolbox, maxTurns },
    versions: new Map(),
    system: system === "" ? sandbox : `${system}\n\n${sandbox}`,
    attempts: execute?.attempts ?? ATTEMPTS,
    afterGenerate: async (code) => (await hooks.afterGenerate?.({ input, text: code })) ?? code,
    findProblem: async (result) => {
      const parsed = await schema.safeParseAsync(result);
      return parsed.success ? null : describeIssues(parsed.error).join("; ");
    },
  });
  const { ok, code, output, error } = outcome;
  const parsed = ok ? await schema.safeParseAsync(outcome.result) : null;
  const executed: ExecutedCode = {
    success: ok,
    code,
    output,
    result: parsed?.success ? parsed.data : outcome.result,
    error,
  };
  await hooks.afterExecute?.({ input, executed });
  return { output: executed, ok };
}

export function describeIssues(error: z.core.$ZodError): string[] {
  return explainIssues(error.issues.slice(0, PROBLEMS), "value");
}
