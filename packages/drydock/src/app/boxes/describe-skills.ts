import type { HostAgent, HostEvent } from "@drydock/protocol";
import type { RunResources } from "@drydock/protocol/runner";
import type { HostStore } from "../../ledger/index.ts";
import type { Skills } from "../skills/api.ts";
import { activationOwner } from "./skill-tools.ts";

/**
 * What a run is told of the skills that its agent was granted. Those that an earlier run of the conversation has activated come
 * with their instructions, as long as they are what they were then.
 */
export async function describeSkills(
  { find }: Pick<Skills, "find">,
  { values }: Pick<HostStore, "values">,
  { agent, event }: { agent: HostAgent; event: HostEvent },
): Promise<RunResources["skills"]> {
  const owner = activationOwner(agent, event);
  const described: RunResources["skills"] = [];
  for (const name of agent.grants.skills) {
    const skill = await find(name, { workspace: agent.box.workspace }).catch(() => null);
    if (!skill || skill.problem !== null) continue;
    const { description, version, sha256, instructions } = skill;
    const kept = owner === null ? null : await values.get(owner, name);
    const before = kept === null ? null : (JSON.parse(kept) as { sha256: string });
    const activated = before?.sha256 === sha256;
    described.push({
      ...{ skill_name: name, display_name: name, description, version, sha256, activated },
      ...(activated && { instructions, path: `/opt/skills/${name}` }),
      ...(before && !activated && { changed_since_activation: true }),
    });
  }
  return described;
}
