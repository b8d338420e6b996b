import type { HostChoices } from "@drydock/protocol";
import { BOX_TOOLS, SKILL_TOOLS } from "../boxes/index.ts";
import type { Extensions } from "../extensions/api.ts";
import type { Models } from "../models/api.ts";
import type { ActionRegistry } from "./actions/action-registry.ts";
import { SANDBOX_TOOLS } from "./tools/sandbox-source.ts";

interface ChoicePorts {
  models: Pick<Models, "list">;
  extensions: Pick<Extensions, "tools">;
  registry: Pick<ActionRegistry, "list">;
}

/** What whoever makes an agent can choose from: models of usable providers, tools that can be granted, registered actions. */
export async function listChoices({ models, extensions, registry }: ChoicePorts): Promise<HostChoices> {
  const { models: defaults, suggested, providers } = await models.list();
  const isUsable = (model: string) =>
    providers.some(
      ({ name, hasKey, keyVariable, problem }) =>
        model.startsWith(`${name}/`) && problem === null && (hasKey || keyVariable === null),
    );
  const builtIn = (names: readonly string[], origin: HostChoices["tools"][number]["origin"]) =>
    names.map((name) => ({ name, origin, description: null }));
  const ofExtensions = await extensions.tools();
  return {
    models: [...new Set([...defaults, ...suggested.filter(isUsable)])],
    defaults,
    tools: [
      ...builtIn(SANDBOX_TOOLS, "sandbox"),
      ...builtIn(BOX_TOOLS, "box"),
      ...builtIn(SKILL_TOOLS, "skills"),
      ...ofExtensions.map(({ name, description }) => ({ name, origin: "extension" as const, description })),
    ],
    actions: registry.list(),
  };
}
