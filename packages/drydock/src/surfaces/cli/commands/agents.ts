import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { type Dock, loadAgents } from "../../../app/index.ts";
import { AGENT, type AnyDefinition, describeAgent } from "../../../tasks/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { openDebug } from "../../terminal/debug/index.ts";
import { askAtTerminal } from "../../terminal/decide-approval.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import { createScreen } from "../../terminal/screen.ts";
import { agentStatus, showAgentOutput, streamsWords } from "../../terminal/show-agent-output.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import { watchWork } from "../../terminal/watch-work.ts";
import type { CommandContext } from "../command-context.ts";
import { readWords } from "../exec/read-code.ts";
import { addFlags, jsonOption } from "../flags/add-flags.ts";
import { RUN_FLAGS, type RunFlags } from "../flags/run-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";

interface CallFlags extends Omit<RunFlags, "all" | "unsafe"> {
  model?: string;
}

const { all: _all, unsafe: _unsafe, ...CALL_FLAGS } = RUN_FLAGS;

const HELP = `
FILE is a module that exports agents: export const review = agent({ … }). It is your own program,
and is loaded as such; what its agents execute runs in the sandbox. The input is text, or JSON
where the agent takes an object; - reads it from standard input.

Examples:
  $ drydock agents list agents.ts
  $ drydock agents call agents.ts review "def add(a, b): return a - b"
  $ drydock agents call agents.ts convert '{"amount": 3, "currency": "EUR"}' --json

Exit status: 0 with a result, else that of the error.`;

export function defineCommand(program: Command, context: CommandContext): void {
  const agents = program
    .command("agents")
    .summary("agents of a file: list and call them")
    .description("Agents that a file exports, as functions of the command line.")
    .addHelpText("afterAll", HELP);
  defineList(agents, context);
  defineCall(agents, context);
}

function defineList(agents: Command, { terminal }: CommandContext): void {
  agents
    .command("list")
    .description("Lists the agents of a file with their inputs.")
    .argument("<file>", "a module that exports agents")
    .addOption(jsonOption())
    .action(async (file: string, { json }: RunFlags) => {
      const found = (await loadAgents(file)).map(describeAgent);
      if (json) return terminal.out(`${JSON.stringify({ agents: found })}\n`);
      const head = ["NAME", "INPUT", "WHAT IT DOES"].map((text) => ({ text, paint: terminal.outColors.dim }));
      const rows = found.map(({ name, input, description, executes }) => [
        name,
        describeInput(input),
        cleanLine(executes === null ? description : `${description} (executes ${executes})`),
      ]);
      terminal.out(renderTable([head, ...rows], { columns: terminal.columns }));
    });
}

/** `{ text, language? }`, or the type of what is no object. */
function describeInput(schema: Record<string, unknown>): string {
  const { type, properties, required } = schema as { type?: string; properties?: object; required?: string[] };
  if (type !== "object") return type ?? "any";
  const names = Object.keys(Object(properties)).map((name) => (required?.includes(name) ? name : `${name}?`));
  return cleanLine(`{ ${names.join(", ")} }`);
}

function defineCall(agents: Command, context: CommandContext): void {
  const command = agents
    .command("call")
    .description("Calls an agent of a file, and prints its result.")
    .argument("<file>", "a module that exports agents")
    .argument("<name>", "the agent")
    .argument("[input...]", "text, or JSON; - reads standard input")
    .option("--model <id>", "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE");
  addFlags(command, CALL_FLAGS).action(async (file: string, name: string, words: string[], flags: CallFlags) => {
    const agent = findAgent(file, name, await loadAgents(file));
    const input = readInput(agent, await readWords(words));
    await useDock((dock) => callAgent(context, dock, agent, input, flags));
  });
}

function findAgent(file: string, name: string, agents: Awaited<ReturnType<typeof loadAgents>>): AnyDefinition {
  const definitions = agents.map((agent) => agent[AGENT].definition);
  const found = definitions.find((each) => each.name === name);
  if (found) return found;
  const names = definitions.map((each) => each.name).join(", ");
  throw new DrydockError("input.invalid", `${file} has no agent ${name}.`, `It has: ${names}.`, { agent: name });
}

/** Text where that is what the agent takes; else JSON, and words that are none are the one text that an object needs. */
function readInput(agent: AnyDefinition, text: string): unknown {
  const { type } = describeAgent(agent).input as { type?: string };
  if (type === "string") return text;
  if (text.trim() === "") return type === "object" ? {} : undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function callAgent(
  context: CommandContext,
  dock: Dock,
  agent: AnyDefinition,
  input: unknown,
  flags: CallFlags,
): Promise<void> {
  const { terminal } = context;
  const { json = false, debug: isDebugging = false, model } = flags;
  using interrupts = watchInterrupts();
  const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
  const options = { model, signal, policy: await readRunPolicy(flags), approval: askAtTerminal(terminal, signal) };
  if (json) {
    const result = await dock.callAgent(agent, input, options);
    terminal.out(`${JSON.stringify(result)}\n`);
    context.status = agentStatus(agent, result.output);
    return;
  }
  const screen = createScreen(terminal);
  const debug = openDebug({ err: screen.aside, errColors: terminal.errColors }, dock);
  const showsWords = streamsWords(agent);
  const work = watchWork({ screen, debug, isDebugging }, { showsWords, speaker: agent.name });
  const { output } = await dock.callAgent(agent, input, { ...options, ...work.listeners });
  await work.end();
  showAgentOutput(screen, agent, output, showsWords && work.hasWords());
  context.status = agentStatus(agent, output);
}
