import { OPERATIONS } from "@drydock/protocol/http";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** Agents of the host, their bindings, and the plugins that answer. */
export function addHost(add: AddRoute, { dock: { host } }: ServerContext): void {
  const { agents, plugins } = host;
  add("hostStatus", OPERATIONS.hostStatus, () => host.status());
  add("listHostWarnings", OPERATIONS.listHostWarnings, async () => ({ warnings: await host.warnings() }));
  add("listRunners", OPERATIONS.listRunners, async () => {
    const { runners, warnings } = await plugins.runners();
    return { runners: runners.map(describeRunner), warnings };
  });
  add("listHostAgents", OPERATIONS.listHostAgents, async () => ({ agents: await agents.list() }));
  add("getHostAgent", OPERATIONS.getHostAgent, async ({ params: { name } }) => {
    const found = await agents.find(name);
    const all = await agents.bindings();
    return { ...found, bindings: all.filter(({ agent }) => agent === name) };
  });
  add("createHostAgent", OPERATIONS.createHostAgent, ({ body }) => agents.add(body));
  add("changeHostAgent", OPERATIONS.changeHostAgent, ({ params, body }) => agents.change(params.name, body));
  add("getHarness", OPERATIONS.getHarness, ({ params }) => agents.harness(params.name));
  add("enableHarness", OPERATIONS.enableHarness, ({ params, body }) => agents.enable(params.name, body));
  add("disableHarness", OPERATIONS.disableHarness, ({ params }) => agents.disable(params.name));
  add("removeHostAgent", OPERATIONS.removeHostAgent, ({ params }) => agents.remove(params.name));
  add("listBindings", OPERATIONS.listBindings, async () => ({ bindings: await agents.bindings() }));
  add("createBinding", OPERATIONS.createBinding, ({ body }) => agents.bind(body));
  add("changeBinding", OPERATIONS.changeBinding, ({ params, body }) => agents.rebind(params.id, body));
  add("removeBinding", OPERATIONS.removeBinding, ({ params }) => agents.unbind(params.id));
  add("hostChoices", OPERATIONS.hostChoices, () => host.choices());
  add("addConfigFile", OPERATIONS.addConfigFile, ({ body: { content_base64: content, ...file } }) =>
    host.files.add({ ...file, content: Buffer.from(content, "base64") }),
  );
}

type Discovered = Awaited<ReturnType<ServerContext["dock"]["host"]["plugins"]["runners"]>>["runners"][number];

function describeRunner({ manifest }: Discovered) {
  const { id, label, description = null, capabilities, permissions, config_schema } = manifest;
  const configSchema = config_schema.map((field) => ({ ...field }));
  return { id, label, description, capabilities, permissions, configSchema };
}
