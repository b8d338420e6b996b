import { type CapabilityOutcome, type CapabilityTool, type CommandRoute, DrydockError } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { FunctionTool, ToolContext, ToolSource } from "../agents/agent.ts";
import { ToolAnswer } from "../agents/tool-answer.ts";
import type { CapabilityHost } from "./capability-host.ts";

export interface CapabilityOptions {
  /** A directory whose files the extension may use, as far as its permissions go. Default: that of the agent's code. */
  workspace?: string;
}

interface CapabilityName {
  command: string;
  action: string | undefined;
}

const WORDS = /^\/?([a-z][a-z0-9._-]*)(?:\s+([a-z][a-z0-9_-]*))?$/;
const MAX_NAME_CHARS = 64;

/**
 * Actions of extensions, for an agent: `/curl get` is one of them, `csv` all of a command, or of an extension. The model
 * sees these and no others; what it gives is checked as if a person had typed it.
 */
export function capability(words: string, options: CapabilityOptions = {}): ToolSource {
  const [, command, action] = WORDS.exec(typeof words === "string" ? words.trim() : "") ?? [];
  if (command === undefined) throw noWords(words);
  const name = [command.replaceAll(".", "-"), ...(action === undefined ? [] : [action])].join("__");
  return {
    name: name.slice(0, MAX_NAME_CHARS),
    async open({ host }) {
      const capabilities = host?.capabilities;
      if (!capabilities) throw unbound(words);
      const actions = findActions({ command, action }, await capabilities.actions());
      return { tools: actions.map((each) => toTool(each, capabilities, options)), close: async () => {} };
    },
  };
}

function findActions({ command, action }: CapabilityName, all: readonly CapabilityTool[]): CapabilityTool[] {
  const byCommand = all.filter((each) => each.command === command);
  const known = byCommand.length > 0 ? byCommand : all.filter((each) => each.extension === command);
  if (known.length === 0) throw notFound(`/${command}`, findNearestWord(command, listed(all, "command")), "/");
  const found = action === undefined ? known : known.filter((each) => each.action === action);
  if (found.length > 0) return found;
  const near = findNearestWord(action ?? "", listed(known, "action"));
  throw notFound(`/${command} ${action}`, near, `/${command} `);
}

function listed(actions: readonly CapabilityTool[], key: "command" | "action"): string[] {
  return [...new Set(actions.map((each) => each[key]))];
}

function toTool(
  { name, description, inputSchema, command, action }: CapabilityTool,
  capabilities: CapabilityHost,
  { workspace }: CapabilityOptions,
): FunctionTool {
  return {
    name,
    description,
    input: inputSchema,
    async run(values: CommandRoute["values"], { signal }: ToolContext) {
      const outcome = await capabilities.call({ command, action, values }, { workspace, signal });
      return new ToolAnswer(describeOutcome(outcome, `/${command} ${action}`), {
        failed: outcome.type !== "capability_result",
        runId: outcome.runId,
      });
    },
  };
}

/** What a model reads: what it was, what came of it, and what it can do about it. */
function describeOutcome(outcome: CapabilityOutcome, called: string): string {
  const head = `${outcome.type}: ${called}`;
  if (outcome.type === "capability_waiting") return `${head}\nIt waits for somebody's approval.`;
  const notes = outcome.notes.map((note) => `note: ${note}`);
  const files = outcome.artifacts.map(({ name, mime, size }) => `file: ${name} (${mime}, ${size} bytes)`);
  const { output } = outcome;
  if (outcome.type === "capability_result") return [head, output.trimEnd(), ...notes, ...files].join("\n");
  const { code, message, hint } = outcome.error;
  const outputLines = output.trim() === "" ? [] : ["Its output:", output.trimEnd()];
  return [head, `${code}: ${message}`, `Hint: ${hint}`, ...outputLines, ...notes].join("\n");
}

function noWords(words: unknown): DrydockError {
  const hint = 'As in: capability("/curl get") for one action, capability("csv") for all of a command.';
  return new DrydockError("input.invalid", `capability(${JSON.stringify(words)}) names no command.`, hint);
}

function unbound(words: string): DrydockError {
  const hint = "Bind the agent to a dock: agents.use(dock).";
  return new DrydockError("input.invalid", `The capability ${words} needs a dock to run in.`, hint);
}

function notFound(word: string, near: string | null | undefined, before: string): DrydockError {
  const hint = near
    ? `Did you mean ${before}${near}? \`drydock ext list\` shows what there is.`
    : "`drydock ext list` shows the installed extensions; one that is disabled can't be used.";
  return new DrydockError("extension.not_found", `${word} was not found.`, hint, { word });
}
