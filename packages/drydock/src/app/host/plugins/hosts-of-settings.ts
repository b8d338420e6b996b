import type { HostAgent } from "@drydock/protocol";
import type { InstalledPlugin } from "../api.ts";

/**
 * The plugin with the hosts of the addresses in the settings of its agents: whoever set an address wants it to be reached.
 * Hosts that the policy does not allow are left out, so that one agent's address does not stop the plugin for all others;
 * the runner hears of it when it tries. Other hosts need another process, and so another fingerprint.
 */
export async function addHostsOfSettings(
  plugin: InstalledPlugin,
  agents: readonly Pick<HostAgent, "runner" | "config">[],
  isAllowed: (host: string) => Promise<boolean>,
): Promise<InstalledPlugin> {
  const names = plugin.settingsWithHosts ?? [];
  if (names.length === 0) return plugin;
  const own = agents.filter(({ runner }) => runner.startsWith(`plugin:${plugin.id}/`));
  const named = own.flatMap(({ config }) => names.flatMap((name) => hostOf(config[name]) ?? []));
  const allowed: string[] = [];
  for (const host of new Set(named)) if (await isAllowed(host)) allowed.push(host);
  const hosts = [...new Set([...plugin.sandbox.hosts, ...allowed.sort()])];
  const fingerprint = `${plugin.fingerprint} ${hosts.join(" ")}`;
  return { ...plugin, sandbox: { ...plugin.sandbox, hosts }, fingerprint };
}

/** `host:port` of an address; null for what is none. */
function hostOf(address: unknown): string | null {
  const url = typeof address === "string" ? URL.parse(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}
