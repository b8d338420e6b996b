import type { ExecutedCode } from "@drydock/protocol";
import * as z from "zod";
import {
  AGENT,
  type Agent,
  type AgentCallOptions,
  type AgentDefinition,
  type AgentHost,
  type AnyDefinition,
  type ExecuteSettings,
  type OutputOf,
  type Schema,
} from "./agent.ts";
import { prepareAgent } from "./prepare-agent.ts";
import { streamCall } from "./stream-call.ts";

/** The result of code-executing agents; `result` has the shape of `output`, if there is one. */
export type Executed<Result> = Omit<ExecutedCode, "result"> & { result: Result };

type ClosableHost = AgentHost & { close(): Promise<void> };

export interface DefineAgent {
  /** An agent that writes code, runs it in the sandbox and gives back what came of it. */
  <Input extends Schema, Output extends Schema = Schema>(
    definition: AgentDefinition<Input, Output> & { execute: ExecuteSettings },
  ): Agent<Input, Executed<OutputOf<Output>>>;
  /** An agent that answers with a value of the output's shape; text without one. */
  <Input extends Schema, Output extends Schema = Schema<string, string>>(
    definition: AgentDefinition<Input, Output> & { execute?: undefined },
  ): Agent<Input, OutputOf<Output>>;
}

export interface Agents {
  agent: DefineAgent;
  agents: {
    /** Where agents that are bound to no dock of their own are called from now on; null: on the default one. */
    use(host: AgentHost | null): void;
    /** Closes the default dock, where one was opened. */
    close(): Promise<void>;
  };
}

/** @param openDefault Opens the default dock for calls without one; called once, with the first call. */
export function createAgents(openDefault: () => Promise<ClosableHost>): Agents {
  let shared: AgentHost | null = null;
  let opened: Promise<ClosableHost> | undefined;
  const findHost = async (own: AgentHost | null): Promise<AgentHost> => {
    if (own ?? shared) return (own ?? shared) as AgentHost;
    opened ??= openDefault().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const define = (source: AnyDefinition) => {
    const definition = Object.freeze({ ...source });
    prepareAgent(definition);
    let own: AgentHost | null = null;
    const run = async (input: unknown, options: AgentCallOptions = {}) =>
      (await findHost(own)).callAgent(definition, input, options);
    const call = async (input: unknown, options?: AgentCallOptions) => (await run(input, options)).output;
    const stream = (input: unknown, options: AgentCallOptions = {}) => streamCall((more) => run(input, more), options);
    const agent = Object.assign(call, { run, stream, description: definition.description });
    Object.defineProperty(agent, "name", { value: definition.name });
    const use = (host: AgentHost) => {
      own = host;
    };
    return Object.defineProperty(agent, AGENT, { value: { definition, use } });
  };
  return {
    agent: define as unknown as DefineAgent,
    agents: {
      use(host) {
        shared = host;
      },
      async close() {
        const dock = await opened?.catch(() => undefined);
        opened = undefined;
        await dock?.close();
      },
    },
  };
}

export interface ReadyMade {
  executeCode: Agent<Schema<{ task: string }, { task: string }>, Executed<unknown>>;
  /** `language`: default python. */
  generateCode: Agent<Schema<{ task: string; language?: string }, { task: string; language: string }>, string>;
}

/** The agents that come with Drydock. */
export function createReadyMade(agent: DefineAgent): ReadyMade {
  const task: Schema<{ task: string }, { task: string }> = z.object({ task: z.string().min(1) });
  const taskAndLanguage: Schema<{ task: string; language?: string }, { task: string; language: string }> = z.object({
    task: z.string().min(1),
    language: z.string().min(1).default("python"),
  });
  return {
    executeCode: agent({
      name: "executeCode",
      description:
        "Writes Python code for a task, runs it in the sandbox, and gives back the code and what came of it.",
      input: task,
      prompt: "{{ task }}",
      execute: { language: "python" },
    }),
    generateCode: agent({
      name: "generateCode",
      description: "Writes code for a task without running it.",
      input: taskAndLanguage,
      system: "You write code. Answer with the code alone: no explanation, no fences.",
      prompt: "Write {{ language }} code for this task:\n{{ task }}",
      hooks: { afterGenerate: ({ text }) => stripFence(text) },
    }),
  };
}

function stripFence(text: string): string {
  return /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
