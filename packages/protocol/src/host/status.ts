import * as z from "zod";
import { Risk } from "../policy.ts";
import { LocaleMap, PluginManifest, RunnerCapabilities, RunnerPermissions } from "../runner/index.ts";

/** A process of a plugin. */
export const ProcessState = z.object({
  plugin: z.string().describe("The plugin, `AUTHOR/NAME`."),
  state: z
    .enum(["starting", "ready", "waiting"])
    .describe("`waiting`: it failed, and is started again with the next event after `retryInMs`."),
  openRuns: z.number().int().describe("How many runs it has under way."),
  problem: z.string().nullable().describe("Why the last one ended or did not start; null if nothing is wrong."),
  retryInMs: z.number().int().describe("How long no new start is tried, in milliseconds; 0: it can be started."),
});
export type ProcessState = z.infer<typeof ProcessState>;

/** A plugin that is installed. */
export const PluginInfo = z.object({
  id: z.string().describe("The plugin, `AUTHOR/NAME`."),
  version: z.string().describe("Version of the plugin."),
  description: z.string().nullable().describe("What it is for; null if it does not say."),
  origin: z
    .enum(["development", "installed", "folder", "package", "extension", "built-in"])
    .describe("How it got here: installed, with Drydock, with an extension, or from a folder of the settings."),
  runtime: PluginManifest.shape.runtime.describe("What its program is written for: `node` or `python`."),
  hosts: z.array(z.string()).describe("Hosts that it asks for. The policy decides what of that it gets."),
  environment: z.array(z.string()).describe("Variables that it asks for. The policy decides what of that it gets."),
  problem: z.string().nullable().describe("Why it can't be used; null if it can."),
  process: ProcessState.nullable().describe("Its process in this server; null if it was not needed yet."),
});
export type PluginInfo = z.infer<typeof PluginInfo>;

/** A runner that agents can be made with. */
export const RunnerInfo = z.object({
  id: z.string().describe("Id of the runner, `plugin:AUTHOR/PLUGIN/RUNNER`."),
  label: LocaleMap.describe("Its name for people, by language."),
  description: LocaleMap.nullable().describe("What it does, by language; null if the plugin does not say."),
  capabilities: RunnerCapabilities.describe("What the runner can do. It grants nothing."),
  permissions: RunnerPermissions.describe("The most that it asks for. The agent grants what of that it gets."),
  configSchema: z.array(z.record(z.string(), z.unknown())).describe("The form for the settings of an agent."),
});
export type RunnerInfo = z.infer<typeof RunnerInfo>;

/** What a plugin asks for, before it is installed. */
export const PluginInstallPlan = PluginInfo.pick({
  ...{ id: true, version: true, description: true, runtime: true, hosts: true, environment: true },
}).extend({
  sha256: z.string().describe("SHA-256 over all of its files."),
  installed: z.string().nullable().describe("The version that it takes the place of; null without one."),
  runners: z
    .array(RunnerInfo.pick({ id: true, label: true, permissions: true }))
    .describe("Its runners, as it names them when it is started in the sandbox without hosts and variables."),
  warnings: z.array(z.string()).describe("What is wrong with it, and does not keep it from being installed."),
});
export type PluginInstallPlan = z.infer<typeof PluginInstallPlan>;

/** What was refused or wrong in the host and belongs to no run. */
export const HostWarning = z.object({
  kind: z
    .enum(["refused", "fault"])
    .describe("`refused`: somebody tried what it may not; `fault`: something did not work."),
  source: z.string().describe("What caused it: a plugin, `AUTHOR/NAME`, an event source by its name, or `gateway`."),
  text: z.string().describe("What happened, in one sentence."),
  runId: z.string().nullable().describe("The run that was named last, whoever it belongs to; null if none was."),
  count: z.number().int().describe("How often it happened."),
  firstAt: z.string().describe("When it happened first, ISO 8601 in UTC."),
  lastAt: z.string().describe("When it happened last, ISO 8601 in UTC."),
});
export type HostWarning = z.infer<typeof HostWarning>;

/** How the host stands. */
export const HostStatus = z.object({
  agents: z.number().int().describe("How many agents there are."),
  bindings: z.number().int().describe("How many bindings there are."),
  conversations: z.number().int().describe("How many conversations there are."),
  unhandled: z.number().int().describe("Events whose process ended before it could handle them."),
  running: z.array(z.string()).describe("Ids of the runs of agents that are under way, at most 100."),
  plugins: z.array(PluginInfo).describe("The installed plugins, with their processes in this server."),
  warnings: z
    .array(HostWarning)
    .describe("What was refused or wrong and belongs to no run, the newest 20. `GET /host/warnings` has more."),
});
export type HostStatus = z.infer<typeof HostStatus>;

/** What the settings of agents can name. */
export const HostChoices = z.object({
  models: z.array(z.string()).describe("Models, `PROVIDER/NAME`: the default first. Others can be named as well."),
  defaults: z.array(z.string()).describe("Of these, those that an agent gets whose settings name none."),
  tools: z
    .array(
      z.object({
        name: z.string().describe("What a grant names."),
        origin: z
          .enum(["sandbox", "box", "skills", "extension"])
          .describe("Whose tool it is: of a fresh sandbox, of the agent's box, of its skills, of an extension."),
        description: z.string().nullable().describe("What it does; null for tools that come with Drydock."),
      }),
    )
    .describe("Tools, without those of the agent's own MCP servers."),
  actions: z
    .array(
      z.object({
        name: z.string().describe("What a grant names."),
        description: z.string().describe("What it does."),
        risk: Risk,
      }),
    )
    .describe("Actions that runners can ask this server for."),
});
export type HostChoices = z.infer<typeof HostChoices>;
