import { formatRunnerId, RunnerDiscovery } from "@drydock/protocol/runner";
import type { Plugin } from "./plugin.ts";

/** The runners of a plugin that can be used. One that can't is left out with a warning, and does not hide the others. */
export function readRunners(
  { id, author, name }: Plugin,
  discovered: readonly unknown[],
): { runners: RunnerDiscovery[]; warnings: string[] } {
  const runners: RunnerDiscovery[] = [];
  const warnings: string[] = [];
  for (const [index, one] of discovered.entries()) {
    const read = RunnerDiscovery.safeParse(one);
    if (!read.success) {
      const issue = read.error.issues[0];
      warnings.push(`${id}: runner ${index + 1} is not valid: ${issue?.path.join(".") || "it"}: ${issue?.message}`);
      continue;
    }
    const { plugin_author, plugin_name, runner_name, manifest } = read.data;
    const expected = formatRunnerId({ plugin_author: author, plugin_name: name, runner_name });
    if (plugin_author !== author || plugin_name !== name || manifest.id !== expected)
      warnings.push(`${id}: runner ${index + 1} calls itself ${manifest.id}; it must be ${expected}.`);
    else if (runners.some((other) => other.manifest.id === manifest.id))
      warnings.push(`${id}: there are two runners ${manifest.id}. The first is used.`);
    else runners.push(read.data);
  }
  return { runners, warnings };
}
