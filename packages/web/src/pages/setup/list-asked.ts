import type { ExtensionManifest, PluginInfo, RunnerInfo } from "@drydock/protocol";
import type { Translate } from "../../words/words.ts";
import type { Asked } from "./asked-list.tsx";

/** What the commands of an extension may use at most. */
export function listExtensionAsks({ permissions }: Pick<ExtensionManifest, "permissions">, t: Translate): Asked[] {
  const { tools, hosts, environment, secrets, paths, limits } = permissions;
  const asked = [
    { text: t("asks.tools"), names: tools },
    { text: t("asks.hosts"), names: hosts },
    { text: t("asks.variables"), names: environment },
    { text: t("asks.secrets"), names: secrets },
    { text: t("asks.read"), names: paths.read },
    { text: t("asks.write"), names: paths.write },
    { text: t("asks.limits"), names: Object.entries(limits).map(([key, value]) => `${key} ${value}`) },
  ];
  return asked.filter(({ names }) => names.length > 0);
}

/** What the process of a plugin asks for. */
export function listPluginAsks(
  { hosts, environment }: Pick<PluginInfo, "hosts" | "environment">,
  t: Translate,
): Asked[] {
  const asked = [
    { text: t("asks.hosts"), names: hosts },
    { text: t("asks.variables"), names: environment },
  ];
  return asked.filter(({ names }) => names.length > 0);
}

const RUNNER_WORDS = {
  models: "asks.models",
  tools: "asks.useTools",
  knowledge_bases: "asks.knowledge",
  history: "asks.history",
  events: "asks.events",
  artifacts: "asks.artifacts",
  storage: "asks.storage",
  files: "asks.files",
  harness: "asks.harness",
} as const;

/** What a runner asks for; each agent with it grants what of that it gets. */
export function listRunnerAsks({ permissions }: Pick<RunnerInfo, "permissions">, t: Translate): Asked[] {
  return (Object.keys(RUNNER_WORDS) as (keyof typeof RUNNER_WORDS)[])
    .filter((kind) => permissions[kind].length > 0)
    .map((kind) => ({ text: t(RUNNER_WORDS[kind]), names: [] }));
}
