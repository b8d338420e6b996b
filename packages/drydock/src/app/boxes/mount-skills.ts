import type { HostAgent } from "@drydock/protocol";
import type { Mount } from "../../sandbox/index.ts";
import type { Skill, Skills } from "../skills/api.ts";

export interface MountedSkills {
  skills: ReadonlyMap<string, Skill>;
  mounts: Mount[];
  /** Skills that were left out, and why. */
  warnings: string[];
}

/** The skills that an agent was granted, as mounts. One that is gone or was changed is left out with a warning. */
export async function mountSkills(
  { stage }: Pick<Skills, "stage">,
  { grants, box }: Pick<HostAgent, "grants" | "box">,
): Promise<MountedSkills> {
  const skills = new Map<string, Skill>();
  const mounts: Mount[] = [];
  const warnings: string[] = [];
  for (const name of grants.skills) {
    try {
      const { mount, ...skill } = await stage(name, { workspace: box.workspace });
      skills.set(name, skill);
      mounts.push({ source: mount, target: `/opt/skills/${name}` });
    } catch (error) {
      warnings.push(`The skill ${name} is left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { skills, mounts, warnings };
}
