import type { ModelBudget, UpstreamApi } from "@drydock/protocol";
import type { ProxySettings } from "../models/index.ts";
import type { Preset } from "./presets.ts";

/** One upstream, as the owner configured it, with its key. It exists outside of sandboxes only. */
export interface Upstream {
  name: string;
  api: UpstreamApi;
  /** Without a slash at its end. */
  baseUrl: string;
  /** What stands before the paths of `baseUrl` inside: `/v1`, or nothing. */
  prefix: string;
  /** Null: it needs none. */
  key: string | null;
  /** Where the key comes from, for messages; null: it needs none. */
  keySource: string | null;
  /** The header that carries the key. */
  header: string;
  /** The word before the key in that header; null: none. With `Basic`, `user` stands before the key. */
  scheme: string | null;
  user: string | null;
  /** `METHOD /path`: what runs may ask for. */
  allow: readonly string[];
  /** For each run. */
  budget: ModelBudget;
  /** The provider whose prices hold for its models. */
  pricedAs: string;
  variables: Preset["variables"];
  proxy: ProxySettings | null;
}

/** The value of the header that carries the key. */
export function writeCredential({ key, scheme, user }: Pick<Upstream, "key" | "scheme" | "user">): string | null {
  if (key === null) return null;
  if (scheme === null) return key;
  const isBasic = scheme.toLowerCase() === "basic";
  return `${scheme} ${isBasic ? Buffer.from(`${user ?? ""}:${key}`).toString("base64") : key}`;
}
