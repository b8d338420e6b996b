import { readText } from "@drydock/protocol/runner";
import { createHost, type Host, type ProgramRequest, replayRunner } from "../../host/index.ts";
import type { HostStore, Redactor } from "../../ledger/index.ts";
import { describeSkills } from "../boxes/index.ts";
import type { Extensions } from "../extensions/api.ts";
import { createSecrets } from "../extensions/index.ts";
import type { LiveKnowledge } from "../knowledge/api.ts";
import type { LiveModels } from "../models/api.ts";
import { readHomeConfig } from "../models/index.ts";
import type { Wraps } from "../wraps/api.ts";
import type { ActionRegistry } from "./actions/action-registry.ts";
import { createActions } from "./actions/create-actions.ts";
import { noRunner, openAgents } from "./agents.ts";
import type { AgentHost, InstalledPlugin } from "./api.ts";
import { createAskModel } from "./ask-model.ts";
import { addConfigFile } from "./config-files.ts";
import { createConversations, createEvents } from "./conversations.ts";
import { createHarnessConsent } from "./harness/harness-consent.ts";
import { openHarness } from "./harness/open-harness.ts";
import { createHostRuns } from "./host-runs.ts";
import { createLateEnds } from "./late-ends.ts";
import { listChoices } from "./list-choices.ts";
import { createModelHelp } from "./model-help.ts";
import type { LiveAgentHost, ReplayRunnerRequest } from "./open-agent-host.ts";
import { addHostsOfSettings } from "./plugins/hosts-of-settings.ts";
import { createPluginRegistry, noPlugin, type PluginRegistry } from "./plugins/plugin-registry.ts";
import { recordRunnerRun } from "./record-run.ts";
import { runPluginProgram } from "./run-program.ts";
import { createRunSpendings } from "./run-spending.ts";
import { revealSecrets } from "./secret-settings.ts";
import { readHostStatus } from "./status.ts";
import { openRunTools, type ToolPorts } from "./tools/open-run-tools.ts";

/** What runners are told. A test holds it to the version of the package. */
export const VERSION = "0.1.0";

/** A process takes new runs for this part of the time that the sandbox gives it; the rest is for those under way. */
const NEW_RUNS_SHARE = 0.8;

export interface AgentHostPorts extends ToolPorts {
  registry: ActionRegistry;
  home: string;
  models: Pick<LiveModels, "chat" | "list">;
  extensions: ToolPorts["extensions"] & Pick<Extensions, "list" | "get" | "approvals">;
  /** An action of a runner begins to wait for an approval. */
  onWaiting(): void;
  knowledge: Pick<LiveKnowledge, "find" | "read" | "searchFor">;
  wraps: Pick<Wraps, "run">;
  redactor: Redactor;
}

/** Actions and surfaces are registered before anything is opened. */
export type OpenAgentHost = Omit<LiveAgentHost, "actions" | "surfaces" | "sources">;

/** The host over a dock: its processes run in the dock's sandbox, its facts lie in the dock's ledger. */
export async function createAgentHost(ports: AgentHostPorts): Promise<OpenAgentHost> {
  const { ledger, home } = ports;
  const facts: HostStore = await ledger.openHost();
  const { ceiling } = await ports.policies.resolve({ workspace: null });
  const { read: readSecret } = createSecrets(ports);
  const actions = createActions({ ...ports, facts, now: Date.now });
  const consent = createHarnessConsent(facts);
  const lateEnds = createLateEnds();
  const spendings = createRunSpendings(async () => (await readHomeConfig(home)).models?.budget ?? {});
  const { openLink, ...registry } = openRegistry(ports, (plugin) => host.look(plugin));
  const withHosts = async (plugin: InstalledPlugin) =>
    addHostsOfSettings(plugin, plugin.settingsWithHosts ? await facts.agents.list() : [], (host) =>
      allows(ports, host),
    );
  const usable = async () =>
    Promise.all((await registry.list()).filter(({ problem }) => problem === null).map(withHosts));
  const host: Host = createHost({
    ...{ version: VERSION, facts, now: Date.now },
    processLifeMs: ceiling.limits.wallSeconds * 1000 * NEW_RUNS_SHARE,
    processLifeChars: ceiling.limits.outputMb * 1024 * 1024 * NEW_RUNS_SHARE,
    plugins: usable,
    async findPlugin(id) {
      const plugin = await registry.find(id);
      return plugin && withHosts(plugin);
    },
    openLink,
    createRun: async (request) => spendings.follow(await recordRunnerRun(ledger, lateEnds, request)),
    askModel: createAskModel(ports.models, spendings),
    async deliver({ surface, ...delivery }) {
      const send = ports.registry.findSurface(surface);
      await send?.({ ...delivery, text: readText(delivery.message) });
      return send !== null;
    },
    requestAction: actions.request,
    openHarness: (request) =>
      openHarness(
        { ...ports, consent, requestAction: actions.request, approvals: ports.extensions.approvals },
        request,
      ),
    openTools: (request) => openRunTools(ports, request),
    listSkills: (request) => describeSkills(ports.skills, facts, request),
    modelHelp: createModelHelp({ ...ports, spendings }),
    knowledge: {
      ...{ find: ports.knowledge.find, read: ports.knowledge.read },
      search: async (record, ...search) => ports.knowledge.searchFor(await spendings.of(record), ...search),
    },
    revealSecrets: (manifest, config) => revealSecrets(manifest, config, readSecret),
  });
  const { agents } = facts;
  const forcedBoxScope = async () => (await readHomeConfig(home)).boxes?.scope ?? null;
  return {
    plugins: openPlugins(host, registry, ports.redactor),
    agents: openAgents(ports, { host, agents, readSecret, consent, forcedBoxScope }),
    hostActions: actions,
    files: { add: (file) => addConfigFile(facts, file), remove: facts.files.remove },
    choices: () => listChoices(ports),
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
function openPlugins(host: Host, registry: Omit<PluginRegistry, "openLink">, redactor: Redactor): AgentHost["plugins"] {
  return {
    ...registry,
    async log(id) {
      if (!(await registry.list()).some((plugin) => plugin.id === id)) throw noPlugin(id);
      return redactor.text(host.readLog(id));
    },
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

/** Whether the owner's policy lets a run reach this host. */
async function allows({ policies }: AgentHostPorts, host: string): Promise<boolean> {
  return policies.resolve({ workspace: null, request: { network: { allow: [host] } } }).then(
    () => true,
    () => false,
  );
}
