import type { ProviderApi } from "@drydock/protocol";

/** Everything that is needed to reach a provider. Comes from the configuration; nothing here looks at the environment. */
export interface ProviderSettings {
  api: ProviderApi;
  baseUrl: string;
  /** The variable that should hold the key. If it is set and `key` is not, the provider can't be used. */
  keyVariable?: string;
  key?: string;
  /** Whether a JSON Schema goes with the request. Default true. */
  schemas?: boolean;
  /** Why the provider can't be used as it is configured. Shown only to those who use it. */
  problem?: string;
  /** Where the address comes from, for the hint if no server answers there. */
  baseUrlSetting?: string;
  /** Requests go through these, by the scheme of the address. */
  proxy?: ProxySettings;
}

/** The usual variables: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */
export interface ProxySettings {
  /** Proxy for addresses that start with `http:`. */
  http?: string;
  /** Proxy for addresses that start with `https:`. */
  https?: string;
  /** Hosts that are reached directly, separated by commas. */
  except: string;
}
