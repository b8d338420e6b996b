import { DrydockError } from "@drydock/protocol";
import type { AnyDefinition } from "../../tasks/index.ts";
import { parseArguments, toData } from "../../tasks/index.ts";
import { cleanLine } from "../terminal/clean-text.ts";
import { shortenWords } from "../terminal/paint-value.ts";
import { renderExplanation } from "../terminal/render/render-policy.ts";
import { renderRollback, renderSession } from "../terminal/render/render-sessions.ts";
import { renderTable } from "../terminal/render/render-table.ts";
import { attach } from "./actions/attach.ts";
import { callAgent, listFields } from "./actions/call-agent.ts";
import { runCapability } from "./actions/run-capability.ts";
import { runCode } from "./actions/run-code.ts";
import { runTask } from "./actions/run-task.ts";
import { describeCommands, showExtensions } from "./actions/show-extensions.ts";
import { readExecution } from "./input/read-input.ts";
import { REPL_PRESET } from "./live-session.ts";
import { type ReplContext, requestedPolicy } from "./repl-context.ts";

export interface ReplCommand {
  name: string;
  usage: string;
  summary: string;
  /** What the Tab key offers after it. */
  words?: readonly string[];
  /** Gives the exit status; null leaves the REPL. */
  run(repl: ReplContext, rest: string, signal: AbortSignal): Promise<number | null> | number | null;
}

export const REPL_COMMANDS: readonly ReplCommand[] = [
  { name: "agents", usage: "", summary: "list the agents", run: showAgents },
  { name: "run", usage: "AGENT INPUT", summary: "call an agent; INPUT is text or a value", run: runAgent },
  { name: "execute", usage: "CODE|WORDS", summary: "run code, or let the model write it first", run: execute },
  { name: "attach", usage: "FILE", summary: "put a file into the session's work directory", run: attach },
  {
    name: "session",
    usage: "[rollback [STEP]|reset]",
    summary: "show the session; undo a step; start a new session",
    words: ["info", "rollback", "reset"],
    run: controlSession,
  },
  { name: "policy", usage: "", summary: "show the policy, and where each value is set", run: showPolicy },
  {
    name: "debug",
    usage: "[on|off]",
    summary: "show prompts, code, policy and timings",
    words: ["on", "off"],
    run: debug,
  },
  { name: "extensions", usage: "", summary: "list the extensions and their commands", run: showExtensions },
  { name: "help", usage: "[COMMAND [ACTION]]", summary: "this list; what an extension's command takes", run: showHelp },
  { name: "exit", usage: "", summary: "leave; Ctrl-D does too", run: () => null },
];

export function runCommand(
  repl: ReplContext,
  { name, rest, line }: { name: string; rest: string; line: string },
  signal: AbortSignal,
): ReturnType<ReplCommand["run"]> {
  const command = REPL_COMMANDS.find((each) => each.name === name);
  if (command) return command.run(repl, rest, signal);
  const own = REPL_COMMANDS.map((each) => each.name);
  return runCapability(repl, line, own, signal);
}

export function findAgent({ agents }: ReplContext, name: string): AnyDefinition {
  const found = agents.get(name);
  if (found) return found;
  const known = [...agents.keys()].join(", ");
  const hint = known === "" ? "Define one: agent({ name, prompt, … })." : `There are ${known}.`;
  throw new DrydockError("input.invalid", `There is no agent ${name}.`, hint);
}

function showAgents({ agents, screen }: ReplContext): number {
  const { outColors, columns } = screen.terminal;
  if (agents.size === 0) {
    screen.say(
      'There are no agents. Define one: agent({ name: "short", input: { text: "string" }, prompt: "… {{ text }}" })\n',
    );
    return 0;
  }
  const rows = [...agents.values()].map((agent) => {
    const { name, description, execute: executes } = agent;
    const fields = listFields(agent).join(", ") || "input";
    const mark = executes === undefined ? "" : ` (executes ${executes.language ?? "python"})`;
    return [{ text: `${name}(${fields})`, paint: outColors.cyan }, shortenWords(`${description}${mark}`, 200)];
  });
  screen.say(renderTable(rows, { columns }));
  return 0;
}

async function runAgent(repl: ReplContext, rest: string, signal: AbortSignal): Promise<number> {
  const [, name = "", inputText = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (name === "") throw new DrydockError("input.invalid", "No agent was named.", "As in: /run AGENT INPUT");
  const agent = findAgent(repl, name);
  return callAgent(repl, { agent, args: inputText === "" ? [] : [readAgentInput(inputText)], variable: null }, signal);
}

/** A value where it is one, else the words themselves. */
function readAgentInput(text: string): unknown {
  try {
    const [value, ...others] = parseArguments(`(${text})`);
    return value === undefined || others.length > 0 ? text : toData(value);
  } catch {
    return text;
  }
}

async function execute(repl: ReplContext, rest: string, signal: AbortSignal): Promise<number> {
  const { language, variables } = repl.session;
  const input = readExecution(rest, { language, variables: new Set(variables.keys()) });
  if (input.kind === "code") return runCode(repl, input.code, signal);
  if (input.kind === "task") return runTask(repl, input.words, signal);
  throw new DrydockError(
    "input.invalid",
    "There is nothing to execute.",
    "As in: execute print(1), or: execute the first 10 primes",
  );
}

async function controlSession(repl: ReplContext, rest: string, signal: AbortSignal): Promise<number> {
  const { screen, session } = repl;
  const [word = "info", step, ...more] = rest.split(/\s+/).filter(Boolean);
  if (more.length === 0 && word === "rollback" && (step === undefined || /^\d{1,6}$/.test(step))) {
    screen.say(renderRollback(await session.rollback(step === undefined ? undefined : Number(step), { signal })));
  } else if (step === undefined && word === "reset") {
    await session.reset();
    repl.talk.length = 0;
    repl.attached.clear();
    screen.say("A new session starts.\n");
  } else if (step === undefined && word === "info") showSession(repl);
  else
    throw new DrydockError(
      "input.invalid",
      `/session does not know ${cleanLine(rest)}.`,
      "Give rollback [STEP], reset, or nothing.",
    );
  return 0;
}

function showSession({ screen, session }: ReplContext): void {
  const stats = session.stats();
  if (!stats) {
    screen.say("No code has run yet; the session opens with the first step.\n");
    return;
  }
  screen.say(renderSession(stats));
  const { outColors, columns } = screen.terminal;
  const rows = [...session.variables].map(([name, type]) => [
    { text: `  ${name}`, paint: outColors.cyan },
    { text: cleanLine(type), paint: outColors.dim },
  ]);
  screen.say(rows.length === 0 ? "no variables\n" : `variables:\n${renderTable(rows, { columns })}`);
}

async function showPolicy(repl: ReplContext): Promise<number> {
  const { dock, screen, workspace } = repl;
  const { rows } = await dock.policies.show({ workspace, policy: requestedPolicy(repl), preset: REPL_PRESET });
  screen.say(renderExplanation(rows, screen.terminal));
  return 0;
}

function debug(repl: ReplContext, rest: string): number {
  if (rest !== "" && rest !== "on" && rest !== "off") {
    throw new DrydockError("input.invalid", `/debug does not know ${cleanLine(rest)}.`, "Give on, off, or nothing.");
  }
  repl.isDebugging = rest === "" ? !repl.isDebugging : rest === "on";
  repl.screen.say(`Debugging is ${repl.isDebugging ? "on" : "off"}.\n`);
  return 0;
}

const EXAMPLES = `
  6 * 7                                  code runs in the sandbox; variables stay
  execute the first 10 primes            words become code that is run
  agent({ name: "short", input: { text: "string" }, prompt: "In one line: {{ text }}" })
  await short("…")                       calls it; x = await short("…") keeps the result
  /jq data '.a + 1' --data '{"a": 2}'    a command of an extension; | passes its output to the next
  What is a dry dock?                    anything else is a question to the model

A line goes on while a bracket is open, or after a colon; a blank line ends it.
Ctrl-C stops the current step, Ctrl-D leaves.
`;

async function showHelp(repl: ReplContext, rest: string): Promise<number> {
  const { screen, dock } = repl;
  const { outColors, columns } = screen.terminal;
  const words = rest.split(/\s+/).filter(Boolean);
  if (words.length > 0) {
    screen.say(await dock.extensions.help(words));
    return 0;
  }
  const rows = REPL_COMMANDS.map(({ name, usage, summary }) => [
    { text: `  /${name} ${usage}`.trimEnd(), paint: outColors.cyan },
    summary,
  ]);
  const others = describeCommands(await dock.extensions.list(), repl);
  screen.say(`${renderTable(rows, { columns })}${others}${EXAMPLES}`);
  return 0;
}
