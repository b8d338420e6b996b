import { createHash } from "node:crypto";
import {
  type CapabilityTool,
  type CommandAction,
  type CommandRoute,
  DrydockError,
  type ParameterType,
  type ParameterValue,
} from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { EnabledCommand } from "../install/types.ts";
import type { Parameter } from "./check-value.ts";
import { refuseInput, showText } from "./refuse-input.ts";
import { listParameters } from "./settle-values.ts";

const MAX_NAME_CHARS = 64;

/** Every action as a tool, each with a name of its own that models and MCP accept. */
export function listTools(commands: readonly EnabledCommand[]): CapabilityTool[] {
  const taken = new Set<string>();
  return commands.flatMap(({ extension, command }) =>
    command.actions.map((action) => {
      const name = nameTool(command.name, action.name, taken);
      taken.add(name);
      const description = `${action.description.trim()} (/${command.name}: ${command.description.trim()})`;
      return {
        name,
        description,
        inputSchema: toInputSchema(action),
        command: command.name,
        action: action.name,
        extension,
      };
    }),
  );
}

/** No command or action contains `__`, so the pair is unambiguous. A name that is too long is cut and gets a hash. */
function nameTool(command: string, action: string, taken: ReadonlySet<string>): string {
  const whole = `${command}__${action}`;
  for (let round = 0; ; round++) {
    if (round === 0 && whole.length <= MAX_NAME_CHARS && !taken.has(whole)) return whole;
    const hash = createHash("sha256").update(`${whole}\0${round}`).digest("hex").slice(0, 8);
    const name = `${whole.slice(0, MAX_NAME_CHARS - hash.length - 1)}_${hash}`;
    if (!taken.has(name)) return name;
  }
}

/** What an action's values look like, as a JSON Schema. */
export function toInputSchema(action: CommandAction): Record<string, unknown> {
  const parameters = listParameters(action);
  const required = parameters.filter((each) => each.required && each.default === undefined).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, toSchema(parameter)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const TYPES: Record<ParameterType, Record<string, unknown>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  path: { type: "string" },
  url: { type: "string", format: "uri" },
  json: {},
};
const REMARKS: Partial<Record<ParameterType, string>> = {
  path: "A path relative to the workspace.",
  json: "Any JSON value.",
};

function toSchema(parameter: Parameter): Record<string, unknown> {
  const { type, choices, repeat, default: usual } = parameter;
  const description = [parameter.description.trim(), REMARKS[type]].filter(Boolean).join(" ");
  const item = {
    ...TYPES[type],
    ...toBounds(parameter),
    ...(choices && type === "string" ? { enum: choices } : {}),
  };
  return {
    ...(repeat ? { type: "array", items: item } : item),
    ...(description === "" ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
  };
}

function toBounds({ type, min, max }: Parameter): Record<string, number> {
  if (type === "json" || type === "boolean") return {};
  const [least, most] = type === "integer" || type === "number" ? ["minimum", "maximum"] : ["minLength", "maxLength"];
  return {
    ...(min === undefined ? {} : { [least as string]: min }),
    ...(max === undefined ? {} : { [most as string]: max }),
  };
}

/** A model's tool call as a route; `route` checks its values. */
export function routeFromTool(name: string, input: unknown, commands: readonly EnabledCommand[]): CommandRoute {
  const tools = listTools(commands);
  const tool = tools.find((each) => each.name === name);
  if (!tool) {
    const near = findNearestWord(
      name,
      tools.map((each) => each.name),
    );
    const hint = near === undefined ? "Use one of the tools that were offered." : `Did you mean ${near}?`;
    throw new DrydockError("extension.not_found", `There is no tool ${showText(name)}.`, hint, {
      word: showText(name),
    });
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw refuseInput(`The arguments of ${name} are not an object.`, "Give an object of values by name.");
  }
  return { command: tool.command, action: tool.action, values: input as Record<string, ParameterValue> };
}
