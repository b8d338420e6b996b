import { join, resolve } from "node:path";
import { DrydockError, HomeConfig, type ModelBudget, type ModelsConfig, ProviderConfig } from "@drydock/protocol";
import {
  KNOWN_PROVIDERS,
  type ModelOptions,
  type ProviderSettings,
  parseModelSpec,
  parseYaml,
  readYamlText,
} from "../models/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelSettings {
  /** What to hand to `createModel`, with whole paths; null where nobody named a model. */
  spec: string[] | null;
  options: ModelOptions;
  budget: ModelBudget;
}

export interface ModelSources {
  /** Drydock's home, with `config.yaml`. */
  home: string;
  environment: Environment;
  /** `--model`. */
  model?: string;
}

const ADDRESS_VARIABLES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
};

/** The owner's settings; empty where there is no file. What can't be read and understood in full is an error. */
export async function readHomeConfig(home: string): Promise<HomeConfig> {
  const file = join(home, "config.yaml");
  const text = await readYamlText(file, { what: "configuration", maxBytes: 256 * 1024 });
  return text === null ? {} : parseYaml(file, text, HomeConfig);
}

/** Which models to ask, and how: `--model` wins over `DRYDOCK_MODEL`, which wins over `config.yaml`. */
export async function readModelSettings({ home, environment, model }: ModelSources): Promise<ModelSettings> {
  const { models: config = {} } = await readHomeConfig(home);
  const options: ModelOptions = { providers: collectProviders(config, environment) };
  if (config.prices) options.prices = config.prices;
  if (config.timeoutSeconds !== undefined) options.timeoutMs = config.timeoutSeconds * 1000;
  if (config.idleSeconds !== undefined) options.idleMs = config.idleSeconds * 1000;
  if (config.retries !== undefined) options.retries = config.retries;
  const asked = model || environment.DRYDOCK_MODEL?.trim();
  const spec = asked ? writeSpec([asked], process.cwd()) : readDefault(config, home);
  return { spec, options, budget: config.budget ?? {} };
}

/** Fallbacks belong to the default: a model that somebody names otherwise stands for itself. */
function readDefault({ default: first, fallbacks = [] }: ModelsConfig, home: string): string[] | null {
  return first === undefined ? null : writeSpec([first, ...fallbacks], home);
}

/** A run may be resumed from another directory: a script's path has to be whole. */
function writeSpec(spec: readonly string[], directory: string): string[] {
  const parsed = parseModelSpec(spec);
  if (parsed.kind === "scripted") return [`scripted:${resolve(directory, parsed.file)}`];
  return parsed.models.map(({ id }) => id);
}

function collectProviders(config: ModelsConfig, environment: Environment): Record<string, ProviderSettings> {
  const names = new Set([...Object.keys(KNOWN_PROVIDERS), ...Object.keys(config.providers ?? {})]);
  return Object.fromEntries(
    [...names].map((name) => [name, readProvider(name, config.providers?.[name], environment)]),
  );
}

function readProvider(name: string, own: ProviderConfig = {}, environment: Environment): ProviderSettings {
  const known: Partial<ProviderSettings> = Object.hasOwn(KNOWN_PROVIDERS, name)
    ? KNOWN_PROVIDERS[name as keyof typeof KNOWN_PROVIDERS]
    : {};
  const setting = `models.providers.${name}.baseUrl in config.yaml`;
  const variable = ADDRESS_VARIABLES[name];
  const address = variable ? environment[variable]?.trim() || undefined : undefined;
  const problem = variable && address !== undefined ? findAddressProblem(variable, address) : null;
  const given = problem === null ? (address ?? own.baseUrl) : own.baseUrl;
  const api = own.api ?? (name === "openai" && given !== undefined ? "openai" : (known.api ?? "openai-compatible"));
  const baseUrl = given ?? known.baseUrl;
  if (baseUrl === undefined) {
    const message = `models.providers.${name}: the provider has no address.`;
    throw new DrydockError("input.invalid", message, `Set ${setting}.`, { provider: name });
  }
  const keyVariable = own.keyVariable ?? known.keyVariable;
  const key = keyVariable === undefined ? undefined : environment[keyVariable]?.trim();
  // A server of one's own may want no key: only the provider's own address surely does.
  const needsKey = own.keyVariable !== undefined || given === undefined;
  return {
    api,
    baseUrl: api === "anthropic" ? addVersion(baseUrl) : baseUrl,
    baseUrlSetting: variable ? `${variable} or ${setting}` : setting,
    ...(keyVariable !== undefined && (needsKey || key) ? { keyVariable } : {}),
    ...(key ? { key } : {}),
    ...(own.schemas === undefined ? {} : { schemas: own.schemas }),
    ...(problem === null ? {} : { problem }),
  };
}

/** What stands in the environment may be meant for other programs: it is a mistake only where it would be used. */
function findAddressProblem(variable: string, address: string): string | null {
  const checked = ProviderConfig.shape.baseUrl.safeParse(address);
  if (checked.success) return null;
  return `the environment variable ${variable} can't be used: ${checked.error.issues[0]?.message}, such as http://127.0.0.1:8080/v1.`;
}

/** Anthropic's own tools take the address without `/v1`, which everybody else's have. */
function addVersion(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.pathname === "/" ? new URL("/v1", url).href : baseUrl;
}
