import * as z from "zod";
import { ConfigField } from "./config-field.ts";
import { LocaleMap } from "./locale-map.ts";

/** `plugin:author/name/runner`, three parts that are not empty. */
const PART = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
const RUNNER_ID = new RegExp(`^plugin:(${PART})/(${PART})/(${PART})$`);

export const RunnerId = z
  .string()
  .regex(RUNNER_ID, "a runner's id is `plugin:AUTHOR/PLUGIN/RUNNER`: three names of letters, digits, `.`, `_` and `-`");

export interface RunnerAddress {
  plugin_author: string;
  plugin_name: string;
  runner_name: string;
}

export function formatRunnerId({ plugin_author, plugin_name, runner_name }: RunnerAddress): string {
  return `plugin:${plugin_author}/${plugin_name}/${runner_name}`;
}

/** Null for a text that is no runner's id. */
export function parseRunnerId(id: string): RunnerAddress | null {
  const [, plugin_author, plugin_name, runner_name] = RUNNER_ID.exec(id) ?? [];
  return plugin_author && plugin_name && runner_name ? { plugin_author, plugin_name, runner_name } : null;
}

/** What a runner can do. It grants nothing. */
export const RunnerCapabilities = z.strictObject({
  streaming: z.boolean().default(false).describe("It sends `message.delta`."),
  tool_calling: z.boolean().default(false).describe("It calls tools of the host."),
  knowledge_retrieval: z.boolean().default(false).describe("It searches knowledge bases of the host."),
  multimodal_input: z.boolean().default(false).describe("It handles input that is not text."),
  skill_authoring: z.boolean().default(false).describe("It needs facts about skills, and tools to write them."),
  interrupt: z.boolean().default(false).describe("It ends when it is cancelled."),
  steering: z.boolean().default(false).describe("It pulls messages that arrive during a run."),
});
export type RunnerCapabilities = z.infer<typeof RunnerCapabilities>;

const operations = <const Names extends readonly [string, ...string[]]>(names: Names, meaning: string) =>
  z.array(z.enum(names)).default([]).describe(meaning);

/** The most that a runner asks for. A run has what its binding and its event grant of it. */
export const RunnerPermissions = z.strictObject({
  models: operations(["invoke", "stream", "rerank"], "Ask language models, as a whole or streamed; rank documents."),
  tools: operations(["detail", "call"], "Read the description of tools; call them."),
  knowledge_bases: operations(["list", "retrieve"], "List knowledge bases; search them."),
  history: operations(["page", "search"], "Read or search the conversation."),
  events: operations(["get", "page"], "Read events of the conversation."),
  artifacts: operations(["metadata", "read"], "Read facts about artifacts, or their content."),
  storage: operations(["plugin", "workspace"], "Keep data of the plugin, or of the workspace."),
  files: operations(
    ["config", "knowledge"],
    "Read files of its settings, or the text of documents of knowledge bases.",
  ),
  harness: operations(["run"], "Start the agent that its settings name, in the sandbox, and talk with it."),
});
export type RunnerPermissions = z.infer<typeof RunnerPermissions>;

export const RunnerManifest = z.strictObject({
  id: RunnerId,
  name: z.string().min(1).max(64).describe("Name of the runner in its plugin."),
  label: LocaleMap,
  description: LocaleMap.nullish(),
  capabilities: RunnerCapabilities.default(() => RunnerCapabilities.parse({})),
  permissions: RunnerPermissions.default(() => RunnerPermissions.parse({})),
  config_schema: z.array(ConfigField).max(100).default([]).describe("The form for the settings of an agent."),
  metadata: z.record(z.string(), z.unknown()).default({}).describe("For people and diagnosis. It decides nothing."),
});
export type RunnerManifest = z.infer<typeof RunnerManifest>;
/** The same as an author writes it: what has a default may be left out. */
export type RunnerManifestInput = z.input<typeof RunnerManifest>;

/** One runner of a plugin, as the plugin's process names it. The aliases are for hosts of an earlier version. */
export const RunnerDiscovery = z
  .object({
    plugin_author: z.string().min(1),
    plugin_name: z.string().min(1),
    runner_name: z.string().min(1),
    runner_description: LocaleMap.nullish(),
    manifest: RunnerManifest,
  })
  .refine((found) => found.manifest.id === formatRunnerId(found), {
    path: ["manifest", "id"],
    error: "must be made of the author, the plugin's and the runner's name beside it",
  });
export type RunnerDiscovery = z.infer<typeof RunnerDiscovery>;
