import { hash } from "node:crypto";
import { DrydockError, type HarnessPlan, type HostAgent } from "@drydock/protocol";
import { requireHarnessDirectory } from "../../../host/index.ts";
import { canonicalJson, type HostStore } from "../../../ledger/index.ts";
import { type HarnessSettings, readHarnessSettings } from "./harness-settings.ts";
import { readSkills } from "./read-skills.ts";

/** The consent of an agent lies with its id: another agent of the same name starts without. */
const KEY = "harness";
const ownerOf = ({ id }: Pick<HostAgent, "id">) => `consent:${id}`;

export interface HarnessConsent {
  plan(agent: HostAgent): Promise<HarnessPlan>;
  /** With `seen`, only if that is the hash of what is there now. */
  enable(agent: HostAgent, seen?: string): Promise<HarnessPlan>;
  disable(agent: HostAgent): Promise<HarnessPlan>;
  /** What may be started now. Refused unless the owner has agreed to exactly this. */
  requireEnabled(agent: HostAgent): Promise<{ plan: HarnessPlan; settings: HarnessSettings }>;
}

/** Whether the owner has agreed to what an agent on this machine may do. Whatever changes of it needs consent anew. */
export function createHarnessConsent({ values }: Pick<HostStore, "values">): HarnessConsent {
  const read = async (agent: HostAgent): Promise<HarnessPlan> => {
    const described = await describe(agent);
    return { ...described, enabled: (await values.get(ownerOf(agent), KEY)) === described.hash };
  };
  return {
    plan: read,
    async enable(agent, seen) {
      const plan = await read(agent);
      if (seen !== undefined && seen !== plan.hash) {
        const hint = "Look at it again, and agree to what is there now.";
        throw new DrydockError("input.invalid", `What ${agent.name} may do has changed since it was shown.`, hint);
      }
      await values.set(ownerOf(agent), KEY, plan.hash);
      return { ...plan, enabled: true };
    },
    async disable(agent) {
      await values.delete(ownerOf(agent), KEY);
      return read(agent);
    },
    async requireEnabled(agent) {
      const plan = await read(agent);
      if (plan.enabled) return { plan, settings: readHarnessSettings(agent.config) };
      const hint = `The owner of this machine enables it: \`drydock agent enable ${agent.name}\`.`;
      const message = `The agent ${agent.name} is off: nobody has agreed to what it may do on this machine.`;
      throw new DrydockError("policy.approval_denied", message, hint, { agent: agent.name });
    },
  };
}

async function describe({ name, runner, config, grants, mcpServers }: HostAgent): Promise<HarnessPlan> {
  const settings = readHarnessSettings(config);
  await requireHarnessDirectory(settings.directory);
  const skills = await readSkills(settings.skills);
  const { environment, skills: _skills, ...rest } = settings;
  const agreed = { runner, settings, grants, mcpServers, skills };
  return {
    ...{ agent: name, runner, enabled: false, hash: hash("sha256", canonicalJson(agreed)) },
    ...rest,
    variables: environment.map((entry) => entry.split("=")[0] ?? ""),
    tools: grants.tools,
    mcpServers: mcpServers.map(({ name: server, command, url }) => ({
      name: server,
      at: url ?? command?.join(" ") ?? "",
    })),
    skills,
    risks: listRisks(settings, grants.tools),
  };
}

function listRisks(
  { directory, hosts, upstreams, permissions, deliver, checks }: HarnessSettings,
  tools: readonly string[],
) {
  return [
    `Whoever may send it messages has a program work on a copy of ${directory}: it reads all files there that the policy does not hide.`,
    ...(hosts.length > 0 ? [`It can send what it reads to ${hosts.join(", ")}.`] : []),
    ...(upstreams.length > 0 ? [`It uses ${upstreams.join(", ")} at your cost, within their budgets.`] : []),
    ...(permissions === "allow" ? ["Nobody is asked before it does what the policy does not deny."] : []),
    ...(deliver === "if-passed"
      ? [
          checks.length > 0
            ? `Its changes reach ${directory} without a question if the checks pass.`
            : `Its changes reach ${directory} without a question if the checks of the policy and the directory pass.`,
        ]
      : []),
    ...(tools.length > 0 ? [`It calls tools of the host: ${tools.join(", ")}.`] : []),
  ];
}
