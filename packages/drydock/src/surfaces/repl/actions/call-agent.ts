import { DrydockError } from "@drydock/protocol";
import { type AnyDefinition, parseArguments, prepareAgent, scanCode, toData } from "../../../tasks/index.ts";
import { agentStatus, showAgentOutput, streamsWords } from "../../terminal/show-agent-output.ts";
import { watchWork } from "../../terminal/watch-work.ts";
import { type ReplContext, requestedPolicy } from "../repl-context.ts";
import { createAsker } from "./ask-approval.ts";
import { writeLiteral } from "./write-literal.ts";

export interface AgentCall {
  agent: AnyDefinition;
  args: readonly unknown[];
  /** Of the session; holds what comes back. */
  variable: string | null;
}

/** Calls an agent, shows what comes, and gives the exit status. */
export async function callAgent(
  repl: ReplContext,
  { agent, args, variable }: AgentCall,
  signal: AbortSignal,
): Promise<number> {
  const { dock, screen, session, model } = repl;
  const showsWords = streamsWords(agent);
  const isShared = agent.execute !== undefined && (agent.execute.language ?? "python") === session.language;
  const work = watchWork(repl, { showsWords, speaker: agent.name });
  const { output } = await dock.callAgent(agent, toInput(agent, args), {
    model,
    signal,
    policy: requestedPolicy(repl),
    session: isShared ? await session.open() : undefined,
    approval: createAsker(repl),
    ...work.listeners,
  });
  await work.end();
  if (isShared) await session.look();
  showAgentOutput(screen, agent, output, showsWords && work.hasWords());
  const status = agentStatus(agent, output);
  if (variable !== null && status === 0) {
    const step = await session.exec(writeLiteral(session.language, variable, output), { signal });
    if (step.error) screen.error(step.error);
  }
  return status;
}

/** The names of the input's fields; none where it is no object. */
export function listFields(agent: AnyDefinition): string[] {
  return Object.keys(Object(prepareAgent(agent).inputSchema.properties));
}

/** One argument is the input itself; several are its properties, in their order. */
function toInput(agent: AnyDefinition, args: readonly unknown[]): unknown {
  if (args.length === 1) return args[0];
  const names = listFields(agent);
  if (args.length === 0 && names.length === 0) return undefined;
  if (args.length > names.length) {
    const takes = names.length === 0 ? "one value" : names.join(", ");
    throw new DrydockError("input.invalid", `${agent.name} was given ${args.length} values.`, `It takes ${takes}.`);
  }
  return Object.fromEntries(args.map((value, index) => [names[index] ?? "", value]));
}

/**
 * What stands between the brackets: literals, read here; anything else is an expression of the session's language and
 * is evaluated where all code is, in the sandbox.
 */
export async function readCallArguments(repl: ReplContext, source: string, signal: AbortSignal): Promise<unknown[]> {
  try {
    return parseArguments(source).map(toData);
  } catch (error) {
    const { language, variables } = repl.session;
    const namesVariable = scanCode(source, language).tokens.some(
      ({ kind, text }) => kind === "name" && variables.has(text),
    );
    if (!namesVariable) throw error;
  }
  const inner = source.trim().replace(/;$/, "").trim().slice(1, -1);
  const { result, error } = await repl.session.exec(`[${inner}]`, { signal });
  if (error) throw new DrydockError(error.code, error.message, error.hint);
  return Array.isArray(result) ? result : [];
}
