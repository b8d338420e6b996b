import type { ModelBudget, TestedUpstream, UpstreamInfo } from "@drydock/protocol";
import type { AddedUpstream, RemovedUpstream } from "../../../app/index.ts";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderDuration } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";

export function renderUpstreams(upstreams: readonly UpstreamInfo[], colors: Colors): string {
  if (upstreams.length === 0)
    return `No upstream is configured. To add one: ${colors.bold("drydock upstream add openai")}\n`;
  const rows = upstreams.map((upstream) => [
    upstream.name,
    cleanLine(upstream.baseUrl),
    describeKey(upstream, colors),
    describeBudget(upstream.budget),
    upstream.allowed ? "runs may ask for it" : colors.yellow("not in network.upstreams"),
  ]);
  const problems = upstreams.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return [
    renderTable([["UPSTREAM", "ADDRESS", "KEY", "BUDGET", "POLICY"], ...rows]),
    ...problems.map((problem) => `${colors.yellow("!")} ${cleanLine(problem)}\n`),
  ].join("");
}

function describeKey({ keySource, hasKey }: UpstreamInfo, colors: Colors): string {
  if (keySource === null) return "none needed";
  const source = cleanLine(keySource);
  return hasKey ? colors.green(source) : colors.yellow(`${source}: missing`);
}

function describeBudget({ tokens, usd }: ModelBudget): string {
  const parts = [...(tokens === undefined ? [] : [`${tokens} tokens`]), ...(usd === undefined ? [] : [`${usd} USD`])];
  return parts.length === 0 ? "none" : `${parts.join(", ")} a run`;
}

export function renderAddedUpstream({ file, policyFile, upstream }: AddedUpstream, colors: Colors): string {
  const { name, allow, problem } = upstream;
  return [
    `${colors.green("✓")} runs can reach ${cleanLine(upstream.baseUrl)} as ${upstream.address}: ${file}, ${policyFile}`,
    ...allow.map((rule) => `    ${cleanLine(rule)}`),
    ...(problem === null ? [] : [`  ${colors.yellow("!")} ${cleanLine(problem)}`]),
    `  try it: drydock upstream test ${name}`,
    `  use it: drydock exec --upstream ${name} …`,
    "",
  ].join("\n");
}

export function renderRemovedUpstream({ file, name, isStillAllowed }: RemovedUpstream, colors: Colors): string {
  const rest = `  ${colors.yellow("!")} the policy still names it, which opens nothing now. To take it out: drydock policy deny upstream ${cleanLine(name)}\n`;
  return `${colors.green("✓")} ${cleanLine(name)} is no upstream any more: ${file}\n${isStillAllowed ? rest : ""}`;
}

export function renderTestedUpstream(
  { name, ok, status, durationMs, problem }: TestedUpstream,
  colors: Colors,
): string {
  if (ok) return `${colors.green("✓")} ${name} answered with status ${status} in ${renderDuration(durationMs)}\n`;
  return `${colors.red("✗")} ${name}: ${cleanLine(problem ?? "it does not work")}\n`;
}
