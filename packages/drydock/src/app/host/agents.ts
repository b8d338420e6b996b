import {
  DrydockError,
  explainIssues,
  type HostAgent,
  HostAgentChanges,
  NewBinding,
  NewHostAgent,
} from "@drydock/protocol";
import type { RunnerDiscovery } from "@drydock/protocol/runner";
import type * as z from "zod";
import { findNearestWord } from "../../base/text/index.ts";
import { canFitTogether, describeFilter, type Host, type KnowledgeAccess, listKnowledge } from "../../host/index.ts";
import { type HostStore, noKnowledgeBase } from "../../ledger/index.ts";
import type { Extensions } from "../extensions/api.ts";
import type { Models } from "../models/api.ts";
import type { Skills } from "../skills/api.ts";
import type { AgentHost } from "./api.ts";
import { checkModels, checkSettings, checkTools } from "./check-settings.ts";
import { grantDefaultModels } from "./grant-default-models.ts";
import type { HarnessConsent } from "./harness/harness-consent.ts";
import { readHarnessSettings } from "./harness/harness-settings.ts";
import { OFFICIAL_RUNNERS } from "./plugins/official-plugins.ts";
import { checkSecrets, type ReadSecret } from "./secret-settings.ts";

interface AgentPorts {
  models: Pick<Models, "list">;
  knowledge: Pick<KnowledgeAccess, "find">;
  extensions: Pick<Extensions, "tools">;
  skills: Pick<Skills, "find">;
}

interface AgentFacts {
  /** The scope that the owner's settings force for all boxes; null where they force none. */
  forcedBoxScope(): Promise<string | null>;
  host: Host;
  agents: HostStore["agents"];
  readSecret: ReadSecret;
  consent: Pick<HarnessConsent, "plan" | "enable" | "disable">;
}

/** Agents and their bindings. What they name must be there when it is written down. */
export function openAgents(ports: AgentPorts, facts: AgentFacts): AgentHost["agents"] {
  const { host, agents, readSecret, consent, forcedBoxScope } = facts;
  const requireHarness = async (name: string): Promise<HostAgent> => {
    const agent = await requireAgent(agents, name);
    const { manifest } = await requireRunner(host, agent.runner);
    if (startsAgents(manifest)) return agent;
    const hint = "Only a runner that starts a program on this machine, such as acp-agent, has to be enabled.";
    throw new DrydockError("input.invalid", `The agent ${name} needs no consent.`, hint, { agent: name });
  };
  return {
    async add(agent) {
      const checked = check(NewHostAgent, { ...agent, runner: nameRunner(agent.runner) }, "agent");
      const { manifest } = await requireRunner(host, checked.runner);
      await checkGrants(ports, checked.grants, checked);
      checkSettings(manifest, checked.config);
      if (startsAgents(manifest)) readHarnessSettings(checked.config);
      await requireKnowledge(ports, listKnowledge(manifest, checked));
      await requireSkills(ports, checked);
      await checkSecrets(manifest, checked.config, readSecret);
      return agents.add(await grantDefaultModels(manifest, checked, ports.models));
    },
    async find(name) {
      return { ...(await requireAgent(agents, name)), forcedBoxScope: await forcedBoxScope() };
    },
    async list() {
      const forced = await forcedBoxScope();
      return (await agents.list()).map((agent) => ({ ...agent, forcedBoxScope: forced }));
    },
    async change(name, changes) {
      const named = changes.runner === undefined ? changes : { ...changes, runner: nameRunner(changes.runner) };
      const { grants, delivery, box, ...rest } = check(HostAgentChanges, named, "agent");
      const before = await agents.find(name);
      await checkGrants(ports, grants ?? {}, { mcpServers: rest.mcpServers ?? before?.mcpServers ?? [] });
      await requireKnowledge(ports, grants?.knowledge ?? []);
      if (grants?.skills)
        await requireSkills(ports, { grants: { skills: grants.skills }, box: { ...before?.box, ...box } });
      if (rest.runner !== undefined || rest.config !== undefined) {
        const found = rest.runner ?? before?.runner;
        const runner = found === undefined ? null : await requireRunner(host, found);
        const config = rest.config ?? before?.config ?? {};
        if (runner && rest.config) {
          checkSettings(runner.manifest, config);
          if (startsAgents(runner.manifest)) readHarnessSettings(config);
          await requireKnowledge(ports, listKnowledge(runner.manifest, { config, grants: { knowledge: [] } }));
        }
        if (runner) await checkSecrets(runner.manifest, config, readSecret);
      }
      return agents.change(name, (agent) => ({
        ...{ ...agent, ...rest, name },
        grants: { ...agent.grants, ...grants },
        delivery: { ...agent.delivery, ...delivery },
        box: { ...agent.box, ...box },
      }));
    },
    remove: agents.remove,
    harness: async (name) => consent.plan(await requireHarness(name)),
    enable: async (name, { hash } = {}) => consent.enable(await requireHarness(name), hash),
    disable: async (name) => consent.disable(await requireHarness(name)),
    async bind(binding) {
      const checked = checkBinding(check(NewBinding, binding, "binding"));
      return agents.bind(checked, ({ filters }) => canFitTogether([...filters, ...checked.filters]));
    },
    async rebind(id, binding) {
      const checked = checkBinding(check(NewBinding, binding, "binding"));
      return agents.rebind(id, checked, ({ filters }) => canFitTogether([...filters, ...checked.filters]));
    },
    unbind: agents.unbind,
    bindings: agents.bindings,
  };
}

async function requireAgent(agents: HostStore["agents"], name: string): Promise<HostAgent> {
  const found = await agents.find(name);
  if (found) return found;
  const hint = "`drydock agent list` shows all agents.";
  throw new DrydockError("agent.not_found", `There is no agent ${name}.`, hint, { agent: name });
}

/** Whether it starts a program on this machine. The owner has to enable each agent of such a runner. */
function startsAgents({ permissions }: RunnerDiscovery["manifest"]): boolean {
  return permissions.harness.includes("run");
}

/** A runner that comes with Drydock may be named by its short name. */
function nameRunner(name: string): string {
  const known = OFFICIAL_RUNNERS.get(name);
  if (known !== undefined) return known;
  if (name.includes(":") || name.includes("/")) return name;
  const short = [...OFFICIAL_RUNNERS.keys()];
  const meant = findNearestWord(name, short);
  const guess = meant === undefined ? "" : `Did you mean ${meant}? `;
  const hint = `${guess}These come with Drydock: ${short.join(", ")}. One of a plugin is named plugin:AUTHOR/PLUGIN/RUNNER: \`drydock plugin list\`.`;
  throw new DrydockError("input.invalid", `There is no runner ${name}.`, hint, { runner: name });
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

export function noRunner(id: string, ids: readonly string[]): DrydockError {
  const hint =
    ids.length === 0
      ? "No plugin is installed. `drydock plugin add DIRECTORY` installs one."
      : `There are: ${ids.join(", ")}.`;
  return new DrydockError("runner.unavailable", `There is no runner ${id}.`, hint, { runner: id });
}

async function checkGrants(
  { extensions }: AgentPorts,
  { models = [], tools = [] }: { models?: readonly string[]; tools?: readonly string[] },
  { mcpServers }: Pick<NewHostAgent, "mcpServers">,
): Promise<void> {
  checkModels(models);
  if (tools.length > 0) checkTools(tools, mcpServers, await extensions.tools());
}

/** A name that is mistyped would silently grant nothing. */
async function requireKnowledge({ knowledge }: AgentPorts, names: readonly string[]): Promise<void> {
  const found = names.length === 0 ? [] : await knowledge.find(names);
  const missing = names.find((name) => !found.some((base) => base.name === name || base.id === name));
  if (missing !== undefined) throw noKnowledgeBase(missing);
}

/** The same of skills. */
async function requireSkills(
  { skills }: AgentPorts,
  { grants, box }: { grants: { skills: readonly string[] }; box: { workspace?: string } },
): Promise<void> {
  for (const name of grants.skills) {
    const { problem } = await skills.find(name, { workspace: box.workspace });
    if (problem === null) continue;
    const hint = "Mend it, or leave it out: `drydock skill list`.";
    throw new DrydockError("input.invalid", `The skill ${name} can't be used: ${problem}.`, hint, { skill: name });
  }
}

function check<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [problem] = explainIssues(read.error.issues, what);
  const hint = `The guide "Agents of the host" describes the fields of the ${what}.`;
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
