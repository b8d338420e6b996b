/** What other use cases use of this one. */
export { describeSkill, type SkillFile } from "./read-skill.ts";
