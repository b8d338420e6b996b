import { DrydockError, type ModelsConfig, ProviderConfig } from "@drydock/protocol";
import { findProvider, PROVIDERS } from "../../base/providers/index.ts";
import { completeAddress, type ProviderSettings } from "../../models/index.ts";
import { type ProxyRules, readProxyRules } from "./read-proxies.ts";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Every usable provider: the built-in ones, and those of the file. */
export function readProviders(
  config: ModelsConfig,
  environment: EnvironmentVariables,
): Record<string, ProviderSettings> {
  const names = new Set([...PROVIDERS.map((provider) => provider.name), ...Object.keys(config.providers ?? {})]);
  const proxies = readProxyRules(environment);
  return Object.fromEntries(
    [...names].map((name) => [name, readProvider(name, config.providers?.[name], environment, proxies)]),
  );
}

function readProvider(
  name: string,
  own: ProviderConfig = {},
  environment: EnvironmentVariables,
  proxies: ProxyRules,
): ProviderSettings {
  const known = findProvider(name);
  const setting = `models.providers.${name}.baseUrl in config.yaml`;
  const variable = known?.addressVariable;
  const address = variable ? environment[variable]?.trim() || undefined : undefined;
  const wrongAddress = variable && address !== undefined ? findAddressProblem(variable, address) : null;
  const configuredUrl = wrongAddress === null ? (address ?? own.baseUrl) : own.baseUrl;
  const usual = configuredUrl === undefined ? known?.api : (known?.apiElsewhere ?? known?.api);
  const api = own.api ?? usual ?? "openai-compatible";
  const baseUrl = configuredUrl ?? known?.baseUrl;
  if (baseUrl === undefined) {
    const message = `models.providers.${name}: the provider has no address.`;
    throw new DrydockError("input.invalid", message, `Set ${setting}.`, { provider: name });
  }
  const keyVariable = own.keyVariable ?? known?.keyVariable;
  const key = keyVariable === undefined ? undefined : environment[keyVariable]?.trim();
  // A server of one's own may want no key: only the provider's own address surely does.
  const needsKey = own.keyVariable !== undefined || configuredUrl === undefined;
  const { proxy, problem: wrongProxy } = proxies(baseUrl);
  const problem = wrongAddress ?? wrongProxy;
  return {
    api,
    baseUrl: completeAddress(api, baseUrl),
    baseUrlSetting: variable ? `${variable} or ${setting}` : setting,
    ...(keyVariable !== undefined && (needsKey || key) ? { keyVariable } : {}),
    ...(key ? { key } : {}),
    ...(own.schemas === undefined ? {} : { schemas: own.schemas }),
    ...(problem === null ? {} : { problem }),
    ...(proxy === null ? {} : { proxy }),
  };
}

/** What stands in the environment may be meant for other programs: it is a mistake only where it would be used. */
function findAddressProblem(variable: string, address: string): string | null {
  const checked = ProviderConfig.shape.baseUrl.safeParse(address);
  if (checked.success) return null;
  return `the environment variable ${variable} can't be used: ${checked.error.issues[0]?.message}, such as http://127.0.0.1:8080/v1.`;
}
