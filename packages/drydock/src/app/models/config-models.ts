import { join, resolve } from "node:path";
import { HomeConfig, type ModelBudget, type ModelsConfig, REPAIR } from "@drydock/protocol";
import { parseYaml, readYamlText } from "../../base/yaml-files/index.ts";
import { type ModelOptions, parseModelSpec } from "../../models/index.ts";
import { type DetectedModel, detectModel } from "./detect-model.ts";
import { type EnvironmentVariables, readProviders } from "./read-providers.ts";

export interface ModelSettings {
  /**
   * What to hand to `createModel`, with whole paths. Null if there is no model: none is named and no key was found, or
   * the model is `repair`.
   */
  spec: string[] | null;
  /** Where the model or `repair` is named; null: nowhere. */
  source: ModelSource | null;
  /** Set where the model was chosen by a key in the environment. */
  detected: DetectedModel | null;
  options: ModelOptions;
  budget: ModelBudget;
}

/** `request`: `--model` or its like. */
export type ModelSource = "request" | "DRYDOCK_MODEL" | "config.yaml" | "key";

export interface ModelSources {
  /** Drydock's home, with `config.yaml`. */
  home: string;
  environment: EnvironmentVariables;
  /** `--model`. */
  model?: string;
}

export const CONFIG_KIND = { what: "configuration", maxBytes: 256 * 1024 };

const CONFIG_EXAMPLES = {
  models: "models: { default: anthropic/claude-sonnet-4-5 }",
  "models.default": "default: anthropic/claude-sonnet-4-5",
  "models.fallbacks": "fallbacks: [openai/gpt-5]",
  "models.providers": "providers: { vllm: { baseUrl: http://127.0.0.1:8000/v1, keyVariable: VLLM_API_KEY } }",
  "models.timeoutSeconds": "timeoutSeconds: 600",
  "models.idleSeconds": "idleSeconds: 180",
  "models.retries": "retries: 4",
  "models.budget": "budget: { usd: 5 }",
  upstreams: "upstreams: { openai: { keyVariable: OPENAI_API_KEY } }",
  goals: "goals: { staleSeconds: 3600, staleAutoReset: false }",
  "goals.staleSeconds": "staleSeconds: 3600",
  "goals.staleAutoReset": "staleAutoReset: true",
  tasks: "tasks: { workspace: /srv/data }",
  boxes: "boxes: { scope: '{conversation}' }",
  knowledge: "knowledge: { embedding: openai/text-embedding-3-small }",
};

/** The owner's settings; empty where there is no file. What can't be read and understood in full is an error. */
export async function readHomeConfig(home: string): Promise<HomeConfig> {
  const file = join(home, "config.yaml");
  const text = await readYamlText(file, CONFIG_KIND);
  return text === null ? {} : parseYaml(file, text, HomeConfig, CONFIG_EXAMPLES);
}

/**
 * Which models to ask, and how: `--model` wins over `DRYDOCK_MODEL`, which wins over `config.yaml`. Where none of them
 * names one, the key of a known provider in the environment decides.
 */
export async function readModelSettings({ home, environment, model }: ModelSources): Promise<ModelSettings> {
  const { models: config = {} } = await readHomeConfig(home);
  const providers = readProviders(config, environment);
  const options: ModelOptions = { providers };
  if (config.prices) options.prices = config.prices;
  if (config.timeoutSeconds !== undefined) options.timeoutMs = config.timeoutSeconds * 1000;
  if (config.idleSeconds !== undefined) options.idleMs = config.idleSeconds * 1000;
  if (config.retries !== undefined) options.retries = config.retries;
  const budget = config.budget ?? {};
  const own = environment.DRYDOCK_MODEL?.trim();
  const named = model || own;
  if (named) {
    const source = model ? "request" : "DRYDOCK_MODEL";
    if (named.trim() === REPAIR) return { spec: null, source, detected: null, options, budget };
    return { spec: writeSpec([named], process.cwd()), source, detected: null, options, budget };
  }
  const spec = readDefault(config, home);
  if (spec) return { spec, source: "config.yaml", detected: null, options, budget };
  const detected = detectModel(providers);
  return { spec: detected && [detected.model], source: detected && "key", detected, options, budget };
}

/** Fallbacks belong to the default model. A model that is named has none. */
function readDefault({ default: first, fallbacks = [] }: ModelsConfig, home: string): string[] | null {
  return first === undefined ? null : writeSpec([first, ...fallbacks], home);
}

/** A run may be resumed from another directory: a script's path has to be whole. */
function writeSpec(spec: readonly string[], directory: string): string[] {
  const parsed = parseModelSpec(spec);
  if (parsed.kind === "scripted") return [`scripted:${resolve(directory, parsed.file)}`];
  return parsed.models.map(({ id }) => id);
}
