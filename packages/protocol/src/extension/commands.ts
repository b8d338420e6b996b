import * as z from "zod";
import { Risk } from "../policy.ts";
import { InnerPath, ToolName } from "./manifest.ts";

const Word = z
  .string()
  .max(48)
  .regex(/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/, "must be a lower-case word; - and _ may join its parts");

export const ParameterType = z.enum(["string", "integer", "number", "boolean", "path", "url", "json"]);
export type ParameterType = z.infer<typeof ParameterType>;

const parameter = {
  name: Word,
  type: ParameterType.default("string"),
  description: z.string().max(500).default(""),
  required: z.boolean().default(false),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  choices: z.array(z.string()).min(1).max(100).optional(),
  /** May be given more than once; an argument that repeats takes all that is left, and is the last. */
  repeat: z.boolean().default(false),
  /** Numbers: least and greatest. Text: shortest and longest. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** Text may start with `-`: the tool is known to take it as text in that place. */
  dash: z.boolean().default(false),
};

/** Given by its place. */
export const CommandArgument = z.strictObject(parameter);
export type CommandArgument = z.infer<typeof CommandArgument>;

/** Given by its name: `--header "A: b"`, `-H "A: b"`; a boolean takes no value (`--raw`, `--no-raw`). */
export const CommandFlag = z.strictObject({
  ...parameter,
  short: z
    .string()
    .regex(/^[A-Za-z]$/)
    .optional(),
});
export type CommandFlag = z.infer<typeof CommandFlag>;

/**
 * One word of a command line as it is made from the values: text with `{{ name }}` in it, always one word; or words that
 * are there only if a value was given, once for each value where it repeats (`{{ value }}`).
 */
export const ArgumentTemplate = z.union([
  z.string(),
  z.strictObject({
    when: Word,
    is: z.union([z.string(), z.number(), z.boolean()]).optional(),
    words: z.array(z.string()),
  }),
  z.strictObject({ each: Word, words: z.array(z.string()).min(1) }),
]);
export type ArgumentTemplate = z.infer<typeof ArgumentTemplate>;

/** What `api.call` sends. Values in the address are encoded; the host is never made from a value. */
export const ApiRequest = z.strictObject({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.string().regex(/^https?:\/\/[^/?#{}]+([/?#]|$)/, "must start with http(s):// and a host without {{ }}"),
  query: z.record(z.string(), z.string()).default({}),
  headers: z.record(z.string(), z.string()).default({}),
  /** Text with `{{ name }}`, or JSON in which such texts may stand; one that is a single `{{ name }}` keeps the value's type. */
  body: z.json().optional(),
  auth: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("bearer"), secret: z.string() }),
      z.strictObject({ type: z.literal("basic"), user: z.string(), secret: z.string() }),
      z.strictObject({ type: z.literal("header"), header: z.string(), secret: z.string() }),
      z.strictObject({ type: z.literal("query"), parameter: z.string(), secret: z.string() }),
    ])
    .optional(),
});
export type ApiRequest = z.infer<typeof ApiRequest>;

/** `exec.curl`, `api.call`, …, or the name of a runner that the host registered. */
export const RunnerName = z
  .string()
  .max(80)
  .regex(/^[a-z][a-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9._+-]*$/, "must be two words joined by a dot, like exec.curl");

export const CommandAction = z.strictObject({
  name: Word,
  description: z.string().min(1).max(1000),
  runner: RunnerName,
  risk: Risk.default("low"),
  timeoutSeconds: z.number().positive().max(3600).default(300),
  arguments: z.array(CommandArgument).max(32).default([]),
  flags: z.array(CommandFlag).max(64).default([]),
  /** For `exec.*` and scripts: the words after the program's name. Without it: flags by name, then `--`, then arguments. */
  args: z.array(ArgumentTemplate).max(200).optional(),
  /** What the program reads: text with `{{ name }}`; `{{ input }}` is the response that was piped in, else the last one. */
  stdin: z.string().optional(),
  /** For scripts: a file of the extension. */
  script: InnerPath.optional(),
  /** For `api.call`. */
  request: ApiRequest.optional(),
  /** Exit statuses that are no failure. */
  okExitCodes: z.array(z.number().int().min(0).max(255)).default([0]),
  examples: z.array(z.string()).max(20).default([]),
});
export type CommandAction = z.infer<typeof CommandAction>;

export const ExtensionCommand = z.strictObject({
  name: Word,
  aliases: z.array(Word).max(8).default([]),
  description: z.string().min(1).max(1000),
  /** The action that is meant where the word after the command names none. */
  default: Word.optional(),
  actions: z.array(CommandAction).min(1).max(64),
});
export type ExtensionCommand = z.infer<typeof ExtensionCommand>;

/** `commands.yaml`. */
export const ExtensionCommands = z.strictObject({ commands: z.array(ExtensionCommand).min(1).max(64) });
export type ExtensionCommands = z.infer<typeof ExtensionCommands>;

export const RESERVED_WORDS: readonly string[] = [
  ...["agents", "run", "execute", "session", "policy", "debug", "help", "exit", "extensions", "do"],
];

/** A tool's name as an extension writes it may carry a suffix that the program itself does not have. */
export function toolOf(runner: string): string | null {
  if (!runner.startsWith("exec.")) return null;
  const name = ToolName.safeParse(runner.slice("exec.".length));
  return name.success ? name.data : null;
}
