import type { RunEvent } from "@drydock/protocol";

export interface TalkedHost {
  name: string;
  isRefused: boolean;
  times: number;
}

/** Whom the run talked to, or wanted to: each host once. */
export function listHosts(events: readonly RunEvent[]): TalkedHost[] {
  const hosts = new Map<string, TalkedHost>();
  for (const { type, data } of events) {
    const isUpstream = type === "upstream.requested";
    if (!isUpstream && type !== "network.connected" && type !== "network.refused") continue;
    const name = isUpstream ? String(data.upstream) : `${String(data.host)}:${String(data.port)}`;
    const isRefused = type === "network.refused";
    const key = `${name} ${isRefused}`;
    const known = hosts.get(key);
    if (known) known.times++;
    else hosts.set(key, { name, isRefused, times: 1 });
  }
  return [...hosts.values()];
}
