import * as z from "zod";
import { BoxScope } from "./host/box.ts";

/** USD per million tokens. */
export const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Input that the provider had in its cache. Default: `input`. */
  cachedInput: z.number().nonnegative().optional(),
  /** Input that the provider put into its cache. Default: `input`. */
  cacheWrite: z.number().nonnegative().optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** How a provider is spoken to. */
export const ProviderApi = z.enum(["openai", "openai-responses", "anthropic", "openai-compatible"]);
export type ProviderApi = z.infer<typeof ProviderApi>;

/** `models.providers.NAME`. A key never stands in the file: `keyVariable` names the environment variable that holds it. */
export const ProviderConfig = z.strictObject({
  /** Up to and without `/chat/completions` or `/messages`. */
  baseUrl: z
    .url({ protocol: /^https?$/, error: "an http or https address is needed" })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), "user and password can't stand in the address: use keyVariable")
    .optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable is needed, not a key")
    .optional(),
  /** Default: what the name stands for (`anthropic`, `openai`), else `openai-compatible`. */
  api: ProviderApi.optional(),
  /** Whether the server takes a JSON Schema with a request. Default true; `false` leaves it to the prompt. */
  schemas: z.boolean().optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

const ProviderName = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, "letters, digits, '.', '_' and '-' only");

/** What one run may use up, in all. */
export const ModelBudget = z.strictObject({
  tokens: z.number().int().positive().optional().describe("Tokens of input and output together. Default: no limit."),
  usd: z.number().positive().optional().describe("US dollars, by the prices of the models. Default: no limit."),
});
export type ModelBudget = z.infer<typeof ModelBudget>;

export const ModelsConfig = z.strictObject({
  /** `provider/name` or `scripted:FILE`. `DRYDOCK_MODEL` and `--model` win over it. */
  default: z.string().min(1).optional(),
  /** Used in this order if the default fails. */
  fallbacks: z.array(z.string().min(1)).optional(),
  providers: z.record(ProviderName, ProviderConfig).optional(),
  /** By `provider/name` or `provider/*`. They win over the table that comes with Drydock. */
  prices: z.record(z.string(), ModelPrice).optional(),
  /** One request to a provider, from its first byte to its last. Default 600. */
  timeoutSeconds: z.number().positive().max(86_400).optional(),
  /** The longest silence within a request. Default 180. */
  idleSeconds: z.number().positive().max(86_400).optional(),
  /** How often a request that failed in passing is made again. Default 4. */
  retries: z.number().int().min(0).max(20).optional(),
  budget: ModelBudget.optional(),
});
export type ModelsConfig = z.infer<typeof ModelsConfig>;

/** A rule of an upstream; `describeRuleProblem` says what is wrong with one. */
const UpstreamRule = z
  .string()
  .regex(/^([A-Z]+|\*) \/[^\s?#\\%]*$/, "METHOD /path is needed, such as POST /v1/messages");

/**
 * `upstreams.NAME`: a server that runs reach as `http://NAME.dock`, while its key stays outside. The key never stands in the
 * file: it comes from a variable, a file of its own, or the configuration of a model provider.
 */
export const UpstreamConfig = z.strictObject({
  /** What is assumed for all that is not set here. Default: the preset of the same name, if there is one. */
  preset: z.enum(["anthropic", "openai", "gemini", "github"]).optional(),
  baseUrl: ProviderConfig.shape.baseUrl,
  keyVariable: ProviderConfig.shape.keyVariable,
  /** A file that holds the key and nothing else. */
  keyFile: z.string().startsWith("/", "must be an absolute path").max(4096).optional(),
  /** The model provider whose address and key are used. */
  provider: ProviderName.optional(),
  /** The header that carries the key. Default: Authorization. */
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, "the name of a header is needed")
    .optional(),
  /** The word before the key; empty: none. Default: Bearer in Authorization, none in other headers. */
  scheme: z
    .string()
    .regex(/^[A-Za-z]{0,20}$/, "a word such as Bearer or Basic is needed, or an empty text")
    .optional(),
  /** With the scheme Basic: what stands before the key. */
  user: z.string().max(200).optional(),
  /** What runs may ask for, as `METHOD /path`; `*` is any part of a segment, `**` at the end is the rest. */
  allow: z.array(UpstreamRule).min(1).max(200).optional(),
  /** For each run, within `models.budget`. */
  budget: ModelBudget.optional(),
});
export type UpstreamConfig = z.infer<typeof UpstreamConfig>;

const UpstreamName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, "lower-case letters, digits and '-' only");

/** What holds for goals where a request says nothing. */
const GoalsConfig = z.strictObject({
  /** A task that has not moved for so long is stale. Default 3600; 0: never. `DRYDOCK_STALE_SECONDS` wins over it. */
  staleSeconds: z.number().nonnegative().optional(),
  /** Whether a stale task begins again by itself. Default false. `DRYDOCK_STALE_AUTO_RESET` wins over it. */
  staleAutoReset: z.boolean().optional(),
});

/** What holds for Python tasks, workflows and `ask` where a request says nothing. */
const TasksConfig = z.strictObject({
  /** The directory that they see. `DRYDOCK_TASK_WORKSPACE` wins over it. */
  workspace: z.string().min(1).optional(),
});

/** Where runner plugins are found, beside those that are installed. */
const PluginsConfig = z.strictObject({
  /** Directories of plugins, or with a `node_modules` that holds some. The owner trusts what lies there. Default: none. */
  folders: z.array(z.string().startsWith("/", "must be an absolute path").max(4096)).max(32).optional(),
});

/** Models that a search of knowledge bases uses. Without them, it goes by words. */
const KnowledgeConfig = z.strictObject({
  /** `provider/name` of a model that makes vectors of texts. */
  embedding: z.string().min(1).optional(),
  /** `provider/name` of a model that puts the passages found in order. */
  rerank: z.string().min(1).optional(),
});

/** Sandboxes that last for agents of the host. Read each time that one of their tools is called. */
const BoxesConfig = z.strictObject({
  /** False: all tools of boxes are switched off, for all agents. Default true. */
  enabled: z.boolean().optional(),
  /** Takes the place of each agent's own `box.scope`. Default: none. */
  scope: BoxScope.optional(),
  /** Whether skills that lie in the workspace of an agent's box may be used. Default false. */
  workspaceSkills: z.boolean().optional(),
});

/** `DRYDOCK_HOME/config.yaml`: the owner's settings. What runs may do stands in `policy.yaml`, not here. */
export const HomeConfig = z.strictObject({
  version: z.literal(1).optional(),
  models: ModelsConfig.optional(),
  upstreams: z.record(UpstreamName, UpstreamConfig).optional(),
  plugins: PluginsConfig.optional(),
  goals: GoalsConfig.optional(),
  tasks: TasksConfig.optional(),
  knowledge: KnowledgeConfig.optional(),
  boxes: BoxesConfig.optional(),
});
export type HomeConfig = z.infer<typeof HomeConfig>;

/** How a server is spoken to: what its errors look like, and where it says how many tokens it counted. */
export const UpstreamApi = z.enum(["openai", "anthropic", "gemini", "github", "other"]);
export type UpstreamApi = z.infer<typeof UpstreamApi>;

/** An upstream as people see it. */
export const UpstreamInfo = z.object({
  name: z.string().describe("Its name in config.yaml."),
  api: UpstreamApi.describe("How it is spoken to. Decides on the shape of errors, and on how tokens are counted."),
  baseUrl: z.string().describe("Where its requests go."),
  address: z.string().describe("What runs ask for: `http://NAME.dock`."),
  keySource: z.string().nullable().describe("Where its key comes from, in words; null: it needs none."),
  hasKey: z.boolean().describe("True if its key is there, or it needs none. The key itself is never shown."),
  allow: z.array(z.string()).describe("What runs may ask for: `METHOD /path` each."),
  budget: ModelBudget.describe("What one run may use of it."),
  allowed: z.boolean().describe("True if the owner's policy lets runs ask for it."),
  problem: z.string().nullable().describe("Why runs can't use it as it is configured; null if they can."),
});
export type UpstreamInfo = z.infer<typeof UpstreamInfo>;

/** What an upstream answered to a request that costs nothing. */
export const TestedUpstream = z.object({
  name: z.string().describe("Its name in config.yaml."),
  ok: z.boolean().describe("True if it answered, and took the key."),
  status: z.number().int().nullable().describe("The HTTP status of its answer; null: there was none."),
  durationMs: z.number().describe("How long the answer took, in milliseconds."),
  problem: z.string().nullable().describe("What is wrong, in one sentence; null if nothing is."),
});
export type TestedUpstream = z.infer<typeof TestedUpstream>;
