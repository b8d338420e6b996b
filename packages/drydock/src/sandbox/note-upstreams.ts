import { countWord } from "@drydock/protocol";
import type { UpstreamRequest } from "./egress/upstream-server.ts";

/** A line for each upstream that a run used: requests, tokens, money, and what was refused. */
export function noteUpstreams(requests: readonly UpstreamRequest[]): string[] {
  const names = [...new Set(requests.map(({ upstream }) => upstream))];
  return names.map((name) => {
    const own = requests.filter(({ upstream }) => upstream === name);
    const count = own.reduce((sum, { requests: several = 1 }) => sum + several, 0);
    return `upstream ${name}: ${[countWord(count, "request"), ...describeUse(own)].join(", ")}${describeTrouble(own)}`;
  });
}

function describeUse(requests: readonly UpstreamRequest[]): string[] {
  const metered = requests.filter(({ inputTokens }) => inputTokens !== undefined);
  if (metered.length === 0) return [];
  const tokens = metered.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0);
  const isKnown = metered.every(({ costUsd }) => costUsd !== null);
  const usd = metered.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return [countWord(tokens, "token"), isKnown ? `${Number(usd.toFixed(6))} USD` : "cost unknown"];
}

function describeTrouble(requests: readonly UpstreamRequest[]): string {
  const refused = requests.find((request) => request.refused !== undefined);
  if (refused?.refused !== undefined) return `; refused: ${refused.refused}`;
  return requests.some(({ status }) => status === 401) ? "; it refused its key (status 401)" : "";
}
