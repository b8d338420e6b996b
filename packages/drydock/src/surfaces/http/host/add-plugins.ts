import { DrydockError, type PluginInfo, type PluginInstallPlan } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { PluginPlan } from "../../../app/index.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

export function addPlugins(add: AddRoute, { dock: { host } }: ServerContext): void {
  const { plugins } = host;
  const list = async () => (await host.status()).plugins;
  const find = async (id: string): Promise<PluginInfo> => {
    const found = (await list()).find((plugin) => plugin.id === id);
    if (found) return found;
    const hint = "`GET /host/plugins` lists those that are.";
    throw new DrydockError("runner.unavailable", `The plugin ${id} is not installed.`, hint, { plugin: id });
  };
  add("listPlugins", OPERATIONS.listPlugins, async () => ({ plugins: await list() }));
  add("addPlugin", OPERATIONS.addPlugin, async ({ body: { source, approved } }) => {
    let shown: PluginPlan | undefined;
    try {
      // Who names the hash has seen the plan: nothing else than what has that hash is installed.
      const added = await plugins.add(source, {
        sha256: approved,
        approve: async (plan) => {
          shown = plan;
          return approved === plan.sha256;
        },
      });
      return { outcome: "installed", plugin: await find(added.id) } as const;
    } catch (error) {
      if (!shown || approved !== undefined) throw error;
      return { outcome: "planned", plan: describePlan(shown) } as const;
    }
  });
  add("removePlugin", OPERATIONS.removePlugin, async ({ params: { author, name } }) => {
    const before = await find(`${author}/${name}`);
    await plugins.remove(before.id);
    return before;
  });
  add("readPluginLog", OPERATIONS.readPluginLog, async ({ params: { author, name } }) => ({
    text: await plugins.log(`${author}/${name}`),
  }));
}

function describePlan({ plugin, sha256, installed, runners, warnings }: PluginPlan): PluginInstallPlan {
  const { id, version, description = null, runtime, sandbox } = plugin;
  return {
    ...{ id, version, description, runtime, hosts: sandbox.hosts, environment: sandbox.environment },
    ...{ sha256, installed, warnings },
    runners: runners.map(({ manifest }) => ({
      ...{ id: manifest.id, label: manifest.label, permissions: manifest.permissions },
    })),
  };
}
