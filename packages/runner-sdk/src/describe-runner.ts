import { explainIssues } from "@drydock/protocol";
import { formatRunnerId, RunnerDiscovery } from "@drydock/protocol/runner";
import type { Plugin, Runner } from "./runner.ts";

/** The runner as the host sees it. Throws where the manifest is not valid, with all that is wrong. */
export function describeRunner({ author, name }: Pick<Plugin, "author" | "name">, runner: Runner): RunnerDiscovery {
  const { label, description, ...manifest } = runner.manifest;
  const address = { plugin_author: author, plugin_name: name, runner_name: manifest.name };
  const texts = { label: toLocaleMap(label), description: toLocaleMap(description) };
  const { data, error } = RunnerDiscovery.safeParse({
    ...address,
    runner_description: texts.description,
    manifest: { id: formatRunnerId(address), ...manifest, ...texts },
  });
  if (error) {
    const problems = explainIssues(error.issues, "manifest").join("; ");
    throw new TypeError(`The runner ${JSON.stringify(manifest.name)} can't be served: ${problems}.`);
  }
  return data;
}

function toLocaleMap<Value>(text: Value | string): Value | { en_US: string } {
  return typeof text === "string" ? { en_US: text } : text;
}
