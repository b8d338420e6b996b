import type { TestedUpstream, UpstreamInfo } from "@drydock/protocol";
import { matchUpstreams } from "../../policy/index.ts";
import { findPreset, type Sender, testUpstream } from "../../upstreams/index.ts";
import { readHomeConfig } from "../models/index.ts";
import type { UpstreamPorts } from "./create-upstreams.ts";
import { readUpstream } from "./read-upstream.ts";

type Ports = Pick<UpstreamPorts, "home" | "environment" | "policies">;

export async function listUpstreams({ home, environment, policies }: Ports): Promise<UpstreamInfo[]> {
  const config = await readHomeConfig(home);
  const names = Object.keys(config.upstreams ?? {});
  if (names.length === 0) return [];
  const { ceiling } = await policies.resolve({});
  const allowed = new Set(matchUpstreams(ceiling.network.upstreams, names));
  return names.map((name) => {
    const { upstream, problem } = readUpstream(name, config, environment);
    const { api, baseUrl, keySource, key, allow, budget } = upstream;
    return {
      ...{ name, api, baseUrl, address: `http://${name}.dock`, keySource, budget, allow: [...allow] },
      ...{ hasKey: keySource === null || key !== null, allowed: allowed.has(name), problem: problem?.message ?? null },
    };
  });
}

/** Rejects where there is no such upstream, or its key can't be had. */
export async function testOne(
  { home, environment }: Ports,
  sender: Sender,
  name: string,
  signal: AbortSignal | undefined,
): Promise<TestedUpstream> {
  const config = await readHomeConfig(home);
  const { upstream, problem } = readUpstream(name, config, environment);
  if (problem) throw problem;
  const preset = findPreset(config.upstreams?.[name]?.preset ?? name) ?? findPreset(upstream.api);
  return testUpstream(upstream, sender, preset?.probe ?? upstream.prefix, signal);
}
