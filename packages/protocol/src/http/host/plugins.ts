import * as z from "zod";
import { PluginInfo, PluginInstallPlan } from "../../host/index.ts";
import { defineOperation } from "../operation.ts";

const tag = "host";
const part = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const PluginParams = z.object({
  author: part.describe("First part of the plugin's id."),
  name: part.describe("Second part of the plugin's id."),
});

/** Plugins whose runners answer events. */
export const PLUGINS = {
  listPlugins: defineOperation({
    method: "get",
    path: "/host/plugins",
    tag,
    client: "host.plugins.list",
    summary: "Plugins that are installed, with their problems and processes",
    description:
      "Lists the installed plugins: what they ask for, what is wrong with them, and how their processes are.",
    scope: "read",
    response: z.object({ plugins: z.array(PluginInfo).describe("The installed plugins, by id.") }),
  }),
  addPlugin: defineOperation({
    method: "post",
    path: "/host/plugins",
    tag,
    client: "host.plugins.add",
    summary: "Show what a plugin asks for; with `approved`, install it",
    description:
      "Installs a plugin in two requests, in place of an earlier version. The first shows what it asks for and returns its hash; the second repeats that hash and installs exactly what was shown. Before consent it is started once, in the sandbox, without hosts and variables.",
    scope: "admin",
    body: z.strictObject({
      source: z
        .string()
        .min(1)
        .max(4096)
        .describe("A directory or an archive of the server's machine, or an npm package in a `node_modules` there."),
      approved: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe("`plan.sha256` of the plan that a person approved. Default: only show the plan."),
    }),
    response: z.discriminatedUnion("outcome", [
      z.object({
        outcome: z.literal("planned").describe("Nothing is installed yet: the plan waits for approval."),
        plan: PluginInstallPlan.describe("What it asks for. The same request with `approved` installs exactly this."),
      }),
      z.object({
        outcome: z.literal("installed").describe("The plugin is installed."),
        plugin: PluginInfo.describe("The plugin as it is installed."),
      }),
    ]),
    idempotent: true,
  }),
  removePlugin: defineOperation({
    method: "delete",
    path: "/host/plugins/{author}/{name}",
    tag,
    client: "host.plugins.remove",
    summary: "Remove a plugin",
    description: "Removes an installed plugin. Agents with its runners stay, and can't answer until it is back.",
    scope: "admin",
    params: PluginParams,
    response: PluginInfo,
  }),
  readPluginLog: defineOperation({
    method: "get",
    path: "/host/plugins/{author}/{name}/log",
    tag,
    client: "host.plugins.log",
    summary: "What a plugin has written beside the protocol",
    description:
      "Returns the newest 64 kB that the processes of a plugin in this server have written to their logs and to standard error. Secrets that Drydock knows are taken out. Nothing of it is kept when the server ends.",
    scope: "run",
    params: PluginParams,
    response: z.object({ text: z.string().describe("The newest lines; empty if it has written nothing.") }),
  }),
} as const;
