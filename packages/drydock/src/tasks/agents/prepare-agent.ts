import { type AgentInfo, DrydockError, Language } from "@drydock/protocol";
import * as z from "zod";
import { AGENT, type AgentTool, type AnyAgent, type AnyDefinition } from "./agent.ts";
import { type Render, readTemplate } from "./agent-template.ts";

/** A definition that was read and found sound. */
export interface PreparedAgent {
  definition: AnyDefinition;
  input: z.ZodType;
  inputSchema: Record<string, unknown>;
  /** Null: the output is text. */
  outputSchema: Record<string, unknown> | null;
  output: z.ZodType;
  prompt: Render;
  system: Render | null;
  /** The property that a bare text stands for. */
  soleText: string | null;
  /** Values for the templates. */
  values(input: unknown): Record<string, unknown>;
}

const NAME = /^[A-Za-z][\w-]{0,63}$/;
const prepared = new WeakMap<object, PreparedAgent>();

/** Throws `input.invalid` for whatever would not work when the agent is called. */
export function prepareAgent(definition: AnyDefinition): PreparedAgent {
  const known = prepared.get(definition);
  if (known) return known;
  const name = typeof definition?.name === "string" ? definition.name : "";
  const fail = (problem: string, hint: string) =>
    new DrydockError("input.invalid", `agent ${name}: ${problem}`, hint, { agent: name });
  if (!NAME.test(name))
    throw fail(
      `${JSON.stringify(definition?.name)} is not a name.`,
      "A letter, then letters, digits, _ or -; 64 at most.",
    );
  if (typeof definition.description !== "string" || definition.description.trim() === "") {
    throw fail("it has no description.", "Say in a sentence what it does: callers and models choose by it.");
  }
  checkNumber(fail, "maxTurns", definition.maxTurns, 100);
  checkNumber(fail, "repairs", definition.repairs, 10, 0);
  checkNumber(fail, "execute.attempts", definition.execute?.attempts, 20);
  if (definition.execute?.language !== undefined && !Language.safeParse(definition.execute.language).success) {
    throw fail(
      `execute.language is ${JSON.stringify(definition.execute.language)}.`,
      `Known: ${Language.options.join(", ")}.`,
    );
  }
  const { input, output: shape } = definition;
  if (!isSchema(input)) throw fail("input is not a zod schema.", "Give z.object({ … }) or z.string().");
  if (shape !== undefined && !isSchema(shape))
    throw fail("output is not a zod schema.", "Give one, or leave it out for text.");
  const output = shape ?? (definition.execute ? z.unknown() : z.string());
  const inputSchema = toJsonSchema(input, "input", fail);
  const wantsText = definition.execute !== undefined || isText(output);
  const isRecord = inputSchema.type === "object";
  const shown = isRecord ? inputSchema : { type: "object", properties: { input: inputSchema } };
  const result: PreparedAgent = {
    definition,
    input,
    inputSchema,
    outputSchema: wantsText ? null : toJsonSchema(output, "output", fail),
    output,
    prompt: readTemplate(definition.prompt, shown, { agent: name, field: "prompt" }),
    system:
      definition.system === undefined ? null : readTemplate(definition.system, shown, { agent: name, field: "system" }),
    soleText: findSoleText(inputSchema),
    values: (value) =>
      isRecord ? { ...absent(inputSchema), ...(value as Record<string, unknown>) } : { input: value },
  };
  const names = new Set<string>();
  for (const tool of definition.tools ?? []) {
    const toolName = toolNameOf(tool);
    if (toolName === null || !NAME.test(toolName))
      throw fail(
        "one of its tools is neither an agent nor has a name.",
        "Give agents, or { name, description, input, run }.",
      );
    if (names.has(toolName)) throw fail(`it has two tools ${toolName}.`, "Give each its own name.");
    names.add(toolName);
  }
  prepared.set(definition, result);
  return result;
}

/** An agent as others see it. */
export function describeAgent(agent: AnyAgent | AnyDefinition): AgentInfo {
  const { definition, inputSchema, outputSchema } = prepareAgent(isAgent(agent) ? agent[AGENT].definition : agent);
  const { name, description, execute, model = null, tools = [] } = definition;
  return {
    name,
    description,
    input: inputSchema,
    output: outputSchema ?? (execute ? EXECUTED_SCHEMA : { type: "string" }),
    executes: execute ? (execute.language ?? "python") : null,
    model,
    tools: tools.map((tool) => toolNameOf(tool) ?? ""),
  };
}

const EXECUTED_SCHEMA = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    code: { type: "string" },
    output: { type: "string" },
    result: {},
    error: {},
  },
  required: ["success", "code", "output", "result", "error"],
};

export function isAgent(value: unknown): value is AnyAgent {
  return typeof value === "function" && AGENT in value;
}

export function toolNameOf(tool: AgentTool): string | null {
  const name = isAgent(tool) ? tool[AGENT].definition.name : tool?.name;
  return typeof name === "string" ? name : null;
}

type Fail = (problem: string, hint: string) => DrydockError;

function checkNumber(fail: Fail, field: string, value: number | undefined, max: number, min = 1): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw fail(`${field} is ${value}.`, `Give a whole number from ${min} to ${max}.`);
}

/** Also of another copy of zod. */
export function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value && "safeParseAsync" in value;
}

function isText(schema: z.ZodType): boolean {
  return (schema as { _zod?: { def?: { type?: string } } })._zod?.def?.type === "string";
}

function toJsonSchema(schema: z.ZodType, field: "input" | "output", fail: Fail): Record<string, unknown> {
  try {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
    return rest;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fail(
      `${field} has no JSON Schema: ${reason}`,
      "Use objects, arrays, text, numbers, booleans and unions of them.",
    );
  }
}

function findSoleText({ type, properties, required }: Record<string, unknown>): string | null {
  if (type !== "object" || typeof properties !== "object" || properties === null) return null;
  const needed = Array.isArray(required) ? required : [];
  const [only] = needed.length === 1 ? needed : Object.keys(properties);
  const schema = only === undefined ? undefined : Reflect.get(properties, only);
  const isOne = needed.length === 1 || Object.keys(properties).length === 1;
  return isOne && typeof only === "string" && Object(schema).type === "string" ? only : null;
}

/** A variable that the input may leave out is there, and is nothing. */
function absent({ properties }: Record<string, unknown>): Record<string, null> {
  return Object.fromEntries(Object.keys(Object(properties)).map((name) => [name, null]));
}
