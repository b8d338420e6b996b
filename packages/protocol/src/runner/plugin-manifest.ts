import * as z from "zod";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const name = z.string().regex(NAME, "must be a name of letters, digits, `.`, `_` and `-`, at most 64 characters");

/** The program that each runtime is started by. It comes with the sandbox. */
export const PLUGIN_PROGRAMS = { node: "node", python: "python3" } as const;
export type PluginRuntime = keyof typeof PLUGIN_PROGRAMS;

const Host = z
  .string()
  .max(260)
  .regex(
    /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*:([1-9]\d{0,4})$/,
    "must be a host in lower case and a port, such as `api.example.org:443`",
  );

/** What would change how the program starts, or what it may do, is not a plugin's to ask for. */
const RESERVED_VARIABLES = /^(PATH|HOME|LD_.*|DRYDOCK_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*)$/;
const Variable = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable")
  .refine((variable) => !RESERVED_VARIABLES.test(variable), "is set by the host and can't be asked for");

const Word = z
  .string()
  .min(1)
  .max(1000)
  .refine((word) => !word.includes("\0"), "must not hold a zero character");

/** `plugin.yaml`: how the process of a plugin is started, and what it asks for of the sandbox that it runs in. */
export const PluginManifest = z
  .strictObject({
    author: name.describe("First part of the ids of its runners."),
    name: name.describe("Second part of the ids of its runners."),
    version: z
      .string()
      .max(64)
      .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "must be a version like 1.2.0"),
    description: z.string().max(2000).optional().describe("What the plugin is for."),
    runtime: z.enum(["node", "python"]).describe("The interpreter that the sandbox provides."),
    command: z
      .array(Word)
      .min(2)
      .max(64)
      .describe("The program and its arguments, as in `[node, main.js]`. It starts in the folder of the plugin."),
    sandbox: z
      .strictObject({
        hosts: z.array(Host).max(64).default([]).describe("Hosts that it may reach, such as `api.example.org:443`."),
        environment: z.array(Variable).max(64).default([]).describe("Names of variables of the host that it may see."),
      })
      .prefault({})
      .describe("What it asks for. Default: nothing. The owner's policy decides."),
    settingsWithHosts: z
      .array(z.string().min(1).max(255))
      .max(16)
      .optional()
      .describe("Settings of its agents that hold an address: it may reach the hosts of these addresses as well."),
  })
  .superRefine(({ runtime, command }, context) => {
    if (command[0] === PLUGIN_PROGRAMS[runtime]) return;
    const message = `must be \`${PLUGIN_PROGRAMS[runtime]}\`, the program of the runtime \`${runtime}\``;
    context.addIssue({ code: "custom", path: ["command", 0], message });
  });
export type PluginManifest = z.infer<typeof PluginManifest>;
