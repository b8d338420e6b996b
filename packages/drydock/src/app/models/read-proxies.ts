import type { ProxySettings } from "../../models/index.ts";
import type { EnvironmentVariables } from "./read-providers.ts";

export type ProxyRules = (address: string) => { proxy: ProxySettings | null; problem: string | null };

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Which proxy an address is reached through, by the variables that other programs heed too, in either case. A server on
 * this machine is always reached directly: no proxy elsewhere could.
 */
export function readProxyRules(environment: EnvironmentVariables): ProxyRules {
  const read = (...names: string[]) => {
    const name = names.flatMap((each) => [each.toLowerCase(), each]).find((each) => environment[each]?.trim());
    return name === undefined ? null : { name, url: addScheme(environment[name]?.trim() ?? "") };
  };
  const http = read("HTTP_PROXY", "ALL_PROXY");
  const https = read("HTTPS_PROXY", "ALL_PROXY");
  const except = read("NO_PROXY");
  const excepted = except === null ? "" : (environment[except.name]?.trim() ?? "");
  return (address) => {
    const url = new URL(address);
    const used = url.protocol === "https:" ? https : http;
    if (used === null || LOOPBACK.test(url.hostname)) return { proxy: null, problem: null };
    const problem = findProxyProblem(used);
    if (problem !== null) return { proxy: null, problem };
    const own = url.protocol === "https:" ? { https: used.url } : { http: used.url };
    return { proxy: { ...own, except: excepted }, problem: null };
  };
}

/** `proxy.example:3128` is what many write. */
function addScheme(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

function findProxyProblem({ name, url }: { name: string; url: string }): string | null {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return null;
  return `the environment variable ${name} can't be used: the address of an HTTP proxy is needed, such as http://proxy.example:3128.`;
}
