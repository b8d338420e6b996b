import type { EffectivePolicy } from "@drydock/protocol";
import { permitsCommand, permitsEveryCommand } from "../rules/command-rules.ts";
import { matchHost } from "../rules/host-rules.ts";
import { createPathRules } from "../rules/path-rules.ts";

/** The part of a request for permission that a policy can judge. Agents fill in what they like. */
interface ToolCall {
  kind?: unknown;
  rawInput?: unknown;
  locations?: unknown;
  content?: unknown;
}

const CHANGES = ["edit", "delete", "move"];
const INSIDE = "/work/";

/** Why the policy denies what an agent asks for, in one sentence; null: a person decides. */
export async function findDenial(policy: EffectivePolicy, call: unknown): Promise<string | null> {
  const { kind, rawInput, locations, content }: ToolCall = Object(call);
  const input = Object(rawInput) as Record<string, unknown>;
  if (typeof kind === "string" && CHANGES.includes(kind))
    return denyPaths(policy, [...listPaths(locations), ...listPaths(content)]);
  if (kind === "execute") return denyCommand(policy, input.command);
  return kind === "fetch" ? denyAddress(policy, input.url) : null;
}

function listPaths(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) => Object(each).path).filter((path) => typeof path === "string");
}

function denyPaths(policy: EffectivePolicy, paths: readonly string[]): string | null {
  const rules = createPathRules(policy);
  const denied = paths
    .filter((path) => path.startsWith(INSIDE))
    .map((path) => path.slice(INSIDE.length))
    .find((path) => !rules.writable(path));
  return denied === undefined ? null : `the policy does not let it change ${denied}`;
}

async function denyCommand({ commands }: EffectivePolicy, command: unknown): Promise<string | null> {
  if (permitsEveryCommand(commands)) return null;
  if (Array.isArray(command) && command.every((word) => typeof word === "string")) {
    return permitsCommand(commands, command) ? null : `the policy does not allow the command ${command[0]}`;
  }
  if (typeof command !== "string") return null;
  // Reading shell code takes a parser, which most requests can do without.
  const { checkShell } = await import("../shell/check-shell.ts");
  return checkShell(commands, command).ok ? null : "the policy does not allow this command";
}

function denyAddress({ network }: EffectivePolicy, address: unknown): string | null {
  const url = typeof address === "string" ? URL.parse(address) : null;
  if (!url) return null;
  const port = Number(url.port || (url.protocol === "http:" ? 80 : 443));
  return matchHost(network.allow, url.hostname, port) ? null : `the policy does not allow ${url.hostname}:${port}`;
}
