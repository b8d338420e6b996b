/** What other use cases use of this one. */
export { switchedOff, toServerSpec } from "./box-servers.ts";
export { BOX_TOOLS, createBoxTools } from "./box-tools.ts";
export { describeSkills } from "./describe-skills.ts";
export { createSkillTools, SKILL_TOOLS } from "./skill-tools.ts";
