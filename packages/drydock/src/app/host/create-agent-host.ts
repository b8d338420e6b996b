import { DrydockError, explainIssues, HostAgentChanges, NewBinding, NewHostAgent } from "@drydock/protocol";
import { type RunnerDiscovery, readText } from "@drydock/protocol/runner";
import type * as z from "zod";
import {
  canFitTogether,
  createHost,
  describeFilter,
  type Host,
  type KnowledgeAccess,
  type ProgramRequest,
  replayRunner,
} from "../../host/index.ts";
import { type HostStore, noKnowledgeBase } from "../../ledger/index.ts";
import type { Extensions } from "../extensions/api.ts";
import type { Models } from "../models/api.ts";
import { readHomeConfig } from "../models/index.ts";
import type { ActionRegistry } from "./actions/action-registry.ts";
import { createActions } from "./actions/create-actions.ts";
import type { AgentHost, InstalledPlugin } from "./api.ts";
import { createAskModel } from "./ask-model.ts";
import { addConfigFile } from "./config-files.ts";
import { createConversations, createEvents } from "./conversations.ts";
import { grantDefaultModels } from "./grant-default-models.ts";
import { createHostRuns } from "./host-runs.ts";
import { createLateEnds } from "./late-ends.ts";
import { createModelHelp } from "./model-help.ts";
import type { LiveAgentHost, ReplayRunnerRequest } from "./open-agent-host.ts";
import { OFFICIAL_RUNNERS } from "./plugins/official-plugins.ts";
import { createPluginRegistry, type PluginRegistry } from "./plugins/plugin-registry.ts";
import { recordRunnerRun } from "./record-run.ts";
import { runPluginProgram } from "./run-program.ts";
import { readHostStatus } from "./status.ts";
import { openRunTools, type ToolPorts } from "./tools/open-run-tools.ts";

/** What runners are told. A test holds it to the version of the package. */
export const VERSION = "0.1.0";

/** A process takes new runs for this part of the time that the sandbox gives it; the rest is for those under way. */
const NEW_RUNS_SHARE = 0.8;

export interface AgentHostPorts extends ToolPorts {
  registry: ActionRegistry;
  home: string;
  models: Pick<Models, "chat" | "list">;
  extensions: ToolPorts["extensions"] & Pick<Extensions, "list" | "get" | "approvals">;
  /** An action of a runner begins to wait for an approval. */
  onWaiting(): void;
  knowledge: KnowledgeAccess;
}

/** Actions and surfaces are registered before anything is opened. */
export type OpenAgentHost = Omit<LiveAgentHost, "actions" | "surfaces">;

/** The host over a dock: its processes run in the dock's sandbox, its facts lie in the dock's ledger. */
export async function createAgentHost(ports: AgentHostPorts): Promise<OpenAgentHost> {
  const { ledger, home } = ports;
  const facts: HostStore = await ledger.openHost();
  const { ceiling } = await ports.policies.resolve({ workspace: null });
  const actions = createActions({ ...ports, facts, now: Date.now });
  const lateEnds = createLateEnds();
  const { openLink, ...registry } = openRegistry(ports, (plugin) => host.look(plugin));
  const usable = async () => (await registry.list()).filter(({ problem }) => problem === null);
  const host: Host = createHost({
    ...{ version: VERSION, facts, now: Date.now },
    processLifeMs: ceiling.limits.wallSeconds * 1000 * NEW_RUNS_SHARE,
    processLifeChars: ceiling.limits.outputMb * 1024 * 1024 * NEW_RUNS_SHARE,
    plugins: usable,
    findPlugin: registry.find,
    openLink,
    createRun: (request) => recordRunnerRun(ledger, lateEnds, request),
    askModel: createAskModel(ports.models),
    async deliver({ surface, ...delivery }) {
      const send = ports.registry.findSurface(surface);
      await send?.({ ...delivery, text: readText(delivery.message) });
      return send !== null;
    },
    requestAction: actions.request,
    openTools: (request) => openRunTools(ports, request),
    modelHelp: createModelHelp(home, ports.environment),
    knowledge: ports.knowledge,
  });
  const { agents } = facts;
  return {
    plugins: openPlugins(host, registry),
    agents: {
      async add(agent) {
        const checked = check(NewHostAgent, { ...agent, runner: nameRunner(agent.runner) }, "agent");
        const { manifest } = await requireRunner(host, checked.runner);
        await requireKnowledge(ports, checked.grants.knowledge);
        return agents.add(await grantDefaultModels(manifest, checked, ports.models));
      },
      async find(name) {
        const found = await agents.find(name);
        if (found) return found;
        const hint = "`drydock agent list` shows all agents.";
        throw new DrydockError("agent.not_found", `There is no agent ${name}.`, hint, { agent: name });
      },
      list: agents.list,
      async change(name, changes) {
        const named = changes.runner === undefined ? changes : { ...changes, runner: nameRunner(changes.runner) };
        const { grants, delivery, ...rest } = check(HostAgentChanges, named, "agent");
        await requireKnowledge(ports, grants?.knowledge ?? []);
        if (rest.runner !== undefined) await requireRunner(host, rest.runner);
        return agents.change(name, (agent) => ({
          ...{ ...agent, ...rest, name },
          grants: { ...agent.grants, ...grants },
          delivery: { ...agent.delivery, ...delivery },
        }));
      },
      remove: agents.remove,
      async bind(binding) {
        const checked = checkBinding(check(NewBinding, binding, "binding"));
        return agents.bind(checked, ({ filters }) => canFitTogether([...filters, ...checked.filters]));
      },
      unbind: agents.unbind,
      bindings: agents.bindings,
    },
    hostActions: actions,
    files: { add: (file) => addConfigFile(facts, file), remove: facts.files.remove },
    send: host.send,
    resume: host.resume,
    route: host.route,
    events: createEvents({ facts }),
    conversations: createConversations({ facts, host, ledger }),
    runs: createHostRuns({ host, ledger }),
    status: () => readHostStatus({ facts, ledger, host, plugins: registry.list }),
    warnings: () => host.warnings(),
    replayRunner: async (request) => replayOnPlugin(ports, await usable(), request),
    async close() {
      await host.close();
      await lateEnds.close();
    },
  };
}

/** Plugins of the home, of its folders and of extensions. */
function openRegistry(ports: AgentHostPorts, look: Host["look"]): PluginRegistry {
  const { home } = ports;
  return createPluginRegistry({
    ...{ home, look, runProgram: (request: ProgramRequest) => runPluginProgram(ports, request) },
    folders: async () => (await readHomeConfig(home)).plugins?.folders ?? [],
    extensions: () => listExtensions(ports.extensions),
  });
}

/** The registry, whose changes the host hears of. */
function openPlugins(host: Host, registry: Omit<PluginRegistry, "openLink">): AgentHost["plugins"] {
  return {
    ...registry,
    async add(source, options) {
      const added = await registry.add(source, options);
      host.refresh();
      return added;
    },
    async remove(id) {
      const removed = await registry.remove(id);
      host.refresh();
      return removed;
    },
    async runners() {
      const found = await host.runners();
      const broken = (await registry.list()).filter(({ problem }) => problem !== null);
      return { ...found, warnings: [...broken.map(({ id, problem }) => `${id}: ${problem}`), ...found.warnings] };
    },
  };
}

/** Without the hosts that its plugin asks for, unless the replay may use the network. */
async function replayOnPlugin(
  ports: AgentHostPorts,
  plugins: readonly InstalledPlugin[],
  { network, ...request }: ReplayRunnerRequest,
): ReturnType<LiveAgentHost["replayRunner"]> {
  const plugin = plugins.find(({ id }) => request.runnerId.startsWith(`plugin:${id}/`));
  if (!plugin) throw noRunner(request.runnerId, []);
  const sandbox = network ? plugin.sandbox : { ...plugin.sandbox, hosts: [] };
  const facts = await replayRunner({
    ...{ ...request, plugin: { ...plugin, sandbox }, version: VERSION },
    runProgram: (program) => runPluginProgram(ports, program),
  });
  return { facts, plugin: `${plugin.id} ${plugin.version}` };
}

/** Where the extensions lie that are enabled. One of them may bring a plugin. */
async function listExtensions(extensions: AgentHostPorts["extensions"]): Promise<string[]> {
  const enabled = (await extensions.list()).filter(({ state, builtIn }) => state === "enabled" && !builtIn);
  return Promise.all(enabled.map(async ({ manifest }) => (await extensions.get(manifest.id)).directory));
}

/** A runner that comes with Drydock may be named by its short name. */
function nameRunner(name: string): string {
  return OFFICIAL_RUNNERS.get(name) ?? name;
}

/** An agent is created for a runner that is there. One whose plugin is removed later says so when it is used. */
async function requireRunner(host: Host, id: string): Promise<RunnerDiscovery> {
  try {
    return await host.requireRunner(id);
  } catch (error) {
    // A plugin that is there and does not start says why.
    if (!(error instanceof DrydockError && "runner" in error.data)) throw error;
    const { runners } = await host.runners();
    const found = runners.find(({ manifest }) => manifest.id === id);
    if (found) return found;
    throw noRunner(
      id,
      runners.map(({ manifest }) => manifest.id),
    );
  }
}

function noRunner(id: string, ids: readonly string[]): DrydockError {
  const hint =
    ids.length === 0
      ? "No plugin is installed. `drydock plugin add DIRECTORY` installs one."
      : `There are: ${ids.join(", ")}.`;
  return new DrydockError("runner.unavailable", `There is no runner ${id}.`, hint, { runner: id });
}

/** A name that is mistyped would silently grant nothing. */
async function requireKnowledge({ knowledge }: AgentHostPorts, names: readonly string[]): Promise<void> {
  const found = names.length === 0 ? [] : await knowledge.find(names);
  const missing = names.find((name) => !found.some((base) => base.name === name || base.id === name));
  if (missing !== undefined) throw noKnowledgeBase(missing);
}

function check<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [problem] = explainIssues(read.error.issues, what);
  const hint = `The guide on runners describes every field of the ${what}.`;
  throw new DrydockError("input.invalid", `The ${what} is not valid: ${problem}.`, hint, { what });
}

/** Exactly one of the two: an agent, or to discard; and a value for each scope but the global one. */
function checkBinding(binding: NewBinding): NewBinding {
  const { agent, discard, scope, value, filters } = binding;
  const refuse = (message: string) => {
    throw new DrydockError("input.invalid", message, "Look at `drydock agent bind --help`.", { scope });
  };
  if (discard === Boolean(agent)) refuse("A binding either has an agent or discards its events.");
  if (scope === "global" && value) refuse("A binding for everywhere has no value.");
  if (scope !== "global" && !value) refuse(`A binding for a ${scope} needs its id as the value.`);
  if (!canFitTogether(filters)) refuse(`No event can fit these filters: ${filters.map(describeFilter).join("; ")}.`);
  return binding;
}
