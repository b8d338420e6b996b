import { DrydockError, internalError } from "@drydock/protocol";
import { readDefinition } from "../../tasks/index.ts";
import { callAgent, readCallArguments } from "./actions/call-agent.ts";
import { chat } from "./actions/chat.ts";
import { runCode } from "./actions/run-code.ts";
import { runTask } from "./actions/run-task.ts";
import { findAgent, runCommand } from "./commands.ts";
import { readInput } from "./input/read-input.ts";
import type { ReplContext } from "./repl-context.ts";

/** Does what was typed. Gives the exit status of it, or null where the person wants to leave. Never throws. */
export async function runInput(repl: ReplContext, text: string, signal: AbortSignal): Promise<number | null> {
  try {
    return await act(repl, text, signal);
  } catch (error) {
    const known = toKnown(error);
    await repl.debug.settled();
    repl.screen.error(known.toInfo());
    return known.exitStatus;
  }
}

async function act(repl: ReplContext, text: string, signal: AbortSignal): Promise<number | null> {
  const { session, agents } = repl;
  const input = readInput(text, {
    language: session.language,
    agents: new Set(agents.keys()),
    variables: new Set(session.variables.keys()),
    hasModel: repl.modelName !== null,
  });
  switch (input.kind) {
    case "nothing":
      return 0;
    case "command":
      return runCommand(repl, input, signal);
    case "define":
      return define(repl, input.source, input.name);
    case "call": {
      const { variable } = input;
      const args = await readCallArguments(repl, input.source, signal);
      return callAgent(repl, { agent: findAgent(repl, input.agent), args, variable }, signal);
    }
    case "code":
      return runCode(repl, input.code, signal);
    case "task":
      return runTask(repl, input.words, signal);
    case "chat":
      return chat(repl, input.words, signal);
    default:
      return input satisfies never;
  }
}

async function define(
  { agents, screen, checkAgent }: ReplContext,
  source: string,
  variable: string | null,
): Promise<number> {
  const definition = readDefinition(source, variable);
  await checkAgent(definition);
  const isNew = !agents.has(definition.name);
  agents.set(definition.name, definition);
  screen.say(`${isNew ? "Defined" : "Redefined"} ${definition.name}. Call it: await ${definition.name}("…")\n`);
  return 0;
}

function toKnown(error: unknown): DrydockError {
  return error instanceof DrydockError ? error : internalError(error);
}
