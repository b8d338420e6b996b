import * as z from "zod";
import { Risk } from "../policy.ts";
import { InnerPath } from "./manifest.ts";

const Word = z
  .string()
  .max(48)
  .regex(/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/, "must be a lower-case word; - and _ may join its parts");

export const ParameterType = z.enum(["string", "integer", "number", "boolean", "path", "url", "json"]);
export type ParameterType = z.infer<typeof ParameterType>;

const parameter = {
  name: Word.describe("Name of the parameter, unique in its action: a lower-case word."),
  type: ParameterType.default("string").describe("Type of the value. `path` is relative to the workspace."),
  description: z.string().max(500).default("").describe("What the value is for. At most 500 characters."),
  required: z.boolean().default(false).describe("True if a value must be given."),
  default: z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .describe("The value that is used if none is given."),
  choices: z.array(z.string()).min(1).max(100).optional().describe("The only values that are accepted, 1 to 100."),
  repeat: z
    .boolean()
    .default(false)
    .describe("True if it may be given more than once. Of arguments only the last one can: it takes all that is left."),
  min: z.number().optional().describe("The smallest number, or the length of the shortest text."),
  max: z.number().optional().describe("The greatest number, or the length of the longest text."),
  dash: z
    .boolean()
    .default(false)
    .describe("True if a text may start with `-`, because the tool does not take it for an option there."),
};

/** A positional argument. */
export const CommandArgument = z.strictObject(parameter);
export type CommandArgument = z.infer<typeof CommandArgument>;

/** A named option: `--header "A: b"`, `-H "A: b"`; a boolean takes no value (`--raw`, `--no-raw`). */
export const CommandFlag = z.strictObject({
  ...parameter,
  short: z
    .string()
    .regex(/^[A-Za-z]$/)
    .optional()
    .describe("One letter for the short form: `H` for `-H`."),
});
export type CommandFlag = z.infer<typeof CommandFlag>;

const words = z.array(z.string()).describe("Words of the command line. `{{ value }}` is the parameter's value.");

/**
 * One word of a command line as it is made from the values: text with `{{ name }}` in it, always one word; or words
 * that are there only if a value is set, once for each value where it repeats (`{{ value }}`).
 */
export const ArgumentTemplate = z.union([
  z.string(),
  z.strictObject({
    when: Word.describe("Name of a parameter: the words are used if it was given, or is true."),
    is: z
      .union([z.string(), z.number(), z.boolean()])
      .optional()
      .describe("The value that the parameter must have. Default: any."),
    words,
  }),
  z.strictObject({
    each: Word.describe("Name of a parameter that repeats: the words are used once for each value."),
    words: words.min(1),
  }),
]);
export type ArgumentTemplate = z.infer<typeof ArgumentTemplate>;

const secret = z.string().describe("Name of the secret in the owner's store. `permissions.secrets` must list it.");

/** What `api.call` sends. Values in the address are encoded; the host is never made from a value. */
export const ApiRequest = z.strictObject({
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default("GET").describe("The HTTP method."),
  url: z
    .string()
    .regex(/^https?:\/\/[^/?#{}]+([/?#]|$)/, "must start with http(s):// and a host without {{ }}")
    .describe("Address with `{{ name }}` for values in path and query. They are encoded; the host is fixed."),
  query: z
    .record(z.string(), z.string())
    .default({})
    .describe("Query parameters with `{{ name }}` for values. One without a value is left out."),
  headers: z.record(z.string(), z.string()).default({}).describe("Headers with `{{ name }}` for values."),
  body: z
    .json()
    .optional()
    .describe(
      "Text with `{{ name }}`, or JSON with such texts. A text that is one `{{ name }}` keeps the value's type.",
    ),
  auth: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("bearer").describe("Sends `Authorization: Bearer SECRET`."), secret }),
      z.strictObject({
        type: z.literal("basic").describe("Sends the secret as the password of basic authentication."),
        user: z.string().describe("User name for basic authentication."),
        secret,
      }),
      z.strictObject({
        type: z.literal("header").describe("Sends the secret in a header."),
        header: z.string().describe("Name of the header that carries the secret."),
        secret,
      }),
      z.strictObject({
        type: z.literal("query").describe("Sends the secret as a query parameter."),
        parameter: z.string().describe("Name of the query parameter that carries the secret."),
        secret,
      }),
    ])
    .optional()
    .describe("How a secret of the owner is sent. Default: none is."),
});
export type ApiRequest = z.infer<typeof ApiRequest>;

/** `exec.curl`, `api.call`, …, or the name of a runner that the host registered. */
export const RunnerName = z
  .string()
  .max(80)
  .regex(/^[a-z][a-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9._+-]*$/, "must be two words joined by a dot, like exec.curl");

export const CommandAction = z.strictObject({
  name: Word.describe("Name of the action, unique in its command: a lower-case word."),
  description: z.string().min(1).max(1000).describe("What the action does, for people and for models."),
  runner: RunnerName.describe("What executes the action: `exec.TOOL`, `python.script`, `node.script`, `api.call`, …"),
  risk: Risk.default("low"),
  timeoutSeconds: z
    .number()
    .positive()
    .max(3600)
    .default(300)
    .describe("Seconds after which the action is stopped, at most 3600."),
  arguments: z.array(CommandArgument).max(32).default([]).describe("Values that are given by position, at most 32."),
  flags: z.array(CommandFlag).max(64).default([]).describe("Values that are given by name, at most 64."),
  args: z
    .array(ArgumentTemplate)
    .max(200)
    .optional()
    .describe("Words after the program's name. Default: `--name=value` for each flag, `--`, then the arguments."),
  stdin: z
    .string()
    .optional()
    .describe(
      "What the program reads: text with `{{ name }}`. `{{ input }}` is the piped response, else the last one.",
    ),
  script: InnerPath.optional().describe("For script runners: path of a file of the extension."),
  request: ApiRequest.optional().describe("For `api.call`: the HTTP request that is sent."),
  okExitCodes: z
    .array(z.number().int().min(0).max(255))
    .default([0])
    .describe("Exit statuses of the program that count as success."),
  examples: z.array(z.string()).max(20).default([]).describe("Lines that a person can type, at most 20."),
});
export type CommandAction = z.infer<typeof CommandAction>;

export const ExtensionCommand = z.strictObject({
  name: Word.describe("Name of the command, which follows the slash: a lower-case word."),
  aliases: z.array(Word).max(8).default([]).describe("Other names of the command, at most 8."),
  description: z.string().min(1).max(1000).describe("What the command is for, for people and for models."),
  default: Word.optional().describe("Name of the action that is used if the line names none."),
  actions: z.array(CommandAction).min(1).max(64).describe("What the command can do: 1 to 64 actions."),
});
export type ExtensionCommand = z.infer<typeof ExtensionCommand>;

/** `commands.yaml`. */
export const ExtensionCommands = z.strictObject({ commands: z.array(ExtensionCommand).min(1).max(64) });
export type ExtensionCommands = z.infer<typeof ExtensionCommands>;

export const RESERVED_WORDS: readonly string[] = [
  ...["agents", "run", "execute", "session", "policy", "debug", "help", "exit", "extensions", "do"],
];
