import type { SkillInfo } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { ReadSkill } from "./read-skill.ts";
import type { SkillPorts } from "./skill-store.ts";

export interface Skill extends SkillInfo {
  /** What SKILL.md says, without its fields. */
  instructions: string;
  directory: string;
}

/** Where to look, beside the home and extensions. */
interface Where {
  /** A directory whose `.drydock/skills` are seen as well, where the owner allows it. */
  workspace?: string;
}

/** Folders with a SKILL.md that agents of the host can use. None of them has one that was not granted to it. */
export interface Skills {
  /** One that can't be used has a `problem`. */
  list(where?: Where): Promise<SkillInfo[]>;
  find(name: string, where?: Where): Promise<Skill>;
  /** Copies a folder into the home, and keeps the hash of its files. */
  add(directory: string): Promise<SkillInfo>;
  remove(name: string): Promise<SkillInfo>;
  /** @internal What an agent wrote. It is seen by nobody until it is granted. */
  register(read: ReadSkill): Promise<SkillInfo>;
  /** @internal With a copy of its files that nothing changes. */
  stage(name: string, where?: Where): Promise<Skill & { mount: string }>;
}

/** @internal */
export function openSkills(ports: SkillPorts): Skills {
  const later = loadLater(async () => (await import("./skill-store.ts")).createSkillStore(ports));
  return {
    list: later((skills) => skills.list),
    find: later((skills) => skills.find),
    add: later((skills) => skills.add),
    remove: later((skills) => skills.remove),
    register: later((skills) => skills.register),
    stage: later((skills) => skills.stage),
  };
}
