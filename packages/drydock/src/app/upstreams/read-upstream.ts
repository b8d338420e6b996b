import { readFileSync, realpathSync, statSync } from "node:fs";
import { DrydockError, type HomeConfig, type UpstreamApi, type UpstreamConfig } from "@drydock/protocol";
import { findPreset, type Upstream } from "../../upstreams/index.ts";
import { type EnvironmentVariables, readProviders, readProxyRules } from "../models/index.ts";

/** An upstream, and why it can't be used; null: it can. */
export interface ReadUpstream {
  upstream: Upstream;
  problem: DrydockError | null;
  /** The file that holds its key, by its real path. */
  keyFile: string | null;
}

const MIN_KEY_CHARS = 8;
const MAX_KEY_BYTES = 64 * 1024;
const APIS: Readonly<Record<string, UpstreamApi>> = {
  anthropic: "anthropic",
  openai: "openai",
  "openai-responses": "openai",
  "openai-compatible": "openai",
};

/** One upstream of the file, with its preset and the provider whose address and key it uses. */
export function readUpstream(name: string, config: HomeConfig, environment: EnvironmentVariables): ReadUpstream {
  const own = config.upstreams?.[name];
  if (!own) throw unknownUpstream(name, Object.keys(config.upstreams ?? {}));
  const presetName = own.preset ?? (own.provider === undefined || findPreset(name) ? name : "");
  const preset = findPreset(presetName);
  const provider = findOwnProvider(name, own, preset?.provider, config, environment);
  const api = preset?.api ?? (provider ? (APIS[provider.api] ?? "other") : "other");
  const spoken = preset ?? findPreset(api);
  const baseUrl = (own.baseUrl ?? provider?.baseUrl ?? preset?.baseUrl)?.replace(/\/+$/, "");
  if (baseUrl === undefined) throw invalid(name, "it has no address", `Set upstreams.${name}.baseUrl in config.yaml.`);
  const isElsewhere = own.baseUrl !== undefined;
  const usualVariable = provider?.keyVariable ?? (isElsewhere ? undefined : preset?.keyVariable);
  const found = readKey(name, own, usualVariable, environment);
  const header = own.header ?? spoken?.header ?? "authorization";
  const usualScheme = spoken && own.header === undefined ? spoken.scheme : isAuthorization(header) ? "Bearer" : null;
  const { proxy, problem } = readProxyRules(environment)(baseUrl);
  const upstream: Upstream = {
    ...{ name, api, baseUrl, header, proxy, prefix: spoken?.prefix ?? "", budget: own.budget ?? {} },
    ...{ key: found.key, keySource: found.source, user: own.user ?? null },
    scheme: own.scheme === undefined ? usualScheme : own.scheme || null,
    allow: own.allow ?? spoken?.allow ?? [],
    pricedAs: own.provider ?? preset?.provider ?? presetName,
    variables: preset ? preset.variables : { address: [], path: spoken?.variables.path ?? "", key: [] },
  };
  const wrong = problem === null ? found.problem : unavailable(name, problem, "Correct the variable.");
  return { upstream, problem: wrong, keyFile: found.file };
}

/** The configuration of a model provider holds where the upstream has no address or key of its own. */
function findOwnProvider(
  name: string,
  own: UpstreamConfig,
  usual: string | undefined,
  config: HomeConfig,
  environment: EnvironmentVariables,
) {
  const wanted = own.provider ?? (own.baseUrl === undefined ? usual : undefined);
  if (wanted === undefined) return undefined;
  const providers = readProviders(config.models ?? {}, environment);
  const found = Object.hasOwn(providers, wanted) ? providers[wanted] : undefined;
  if (found) return found;
  const known = Object.keys(providers).join(", ");
  throw invalid(name, `there is no model provider ${wanted}`, `Known: ${known}. \`drydock model add\` adds one.`);
}

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === "authorization";
}

interface FoundKey {
  key: string | null;
  source: string | null;
  file: string | null;
  problem: DrydockError | null;
}

function readKey(
  name: string,
  own: UpstreamConfig,
  usualVariable: string | undefined,
  environment: EnvironmentVariables,
): FoundKey {
  if (own.keyFile !== undefined) return readKeyFile(name, own.keyFile);
  const variable = own.keyVariable ?? usualVariable;
  if (variable === undefined) return { key: null, source: null, file: null, problem: null };
  const source = `the variable ${variable}`;
  const hint = `Set ${variable} where Drydock runs, or name another source: upstreams.${name}.keyVariable or keyFile.`;
  return checkKey(name, environment[variable]?.trim() ?? "", source, hint, null);
}

/** Read for each run, so that a key that was exchanged is used from then on. */
function readKeyFile(name: string, path: string): FoundKey {
  const source = `the file ${path}`;
  const fail = (reason: string, hint: string) => {
    const problem = unavailable(name, `the key in ${path} is not used: ${reason}`, hint);
    return { key: null, source, file: null, problem };
  };
  try {
    const file = realpathSync(path);
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_KEY_BYTES) return fail("it is not a small file", "Name another file.");
    if ((stat.mode & 0o077) !== 0) {
      return fail("others can read or change it", `Take their access away with \`chmod 600 ${path}\`.`);
    }
    return checkKey(name, readFileSync(file, "utf8").trim(), source, "Put the key alone into the file.", file);
  } catch (error) {
    return fail(`it can't be read (${(error as NodeJS.ErrnoException).code})`, "Create it, or name another file.");
  }
}

/** A short key would be found in innocent places, and could not be kept out of answers. */
function checkKey(name: string, key: string, source: string, hint: string, file: string | null): FoundKey {
  const reason =
    key === ""
      ? "there is no key"
      : key.length < MIN_KEY_CHARS
        ? `the key has less than ${MIN_KEY_CHARS} characters`
        : /^[\x21-\x7e]+$/.test(key)
          ? null
          : "the key holds blanks or other characters that a header can't carry";
  if (reason === null) return { key, source, file, problem: null };
  return { key: null, source, file, problem: unavailable(name, `${reason} in ${source}`, hint) };
}

function unavailable(name: string, reason: string, hint: string): DrydockError {
  return new DrydockError("upstream.unavailable", `The upstream ${name} can't be used: ${reason}.`, hint, {
    upstream: name,
  });
}

function invalid(name: string, reason: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `upstreams.${name} in config.yaml: ${reason}.`, hint, { upstream: name });
}

export function unknownUpstream(name: string, known: readonly string[]): DrydockError {
  const hint = known.length > 0 ? `Configured: ${known.join(", ")}.` : "None is configured.";
  return new DrydockError(
    "input.invalid",
    `There is no upstream ${JSON.stringify(name.slice(0, 40))}.`,
    `${hint} \`drydock upstream add NAME\` adds one.`,
    { upstream: name },
  );
}
