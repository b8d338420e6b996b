import type { Message, RunnerContext } from "@drydock/runner-sdk";

/** Tells the model which skills there are, and repeats the instructions of those that are active in this conversation. */
export function describeSkills({ resources }: RunnerContext): Message[] {
  const { skills } = resources;
  if (skills.length === 0) return [];
  const listed = skills.map(({ skill_name, description }) => `- ${skill_name}: ${description ?? ""}`).join("\n");
  const active = skills.flatMap(({ skill_name, activated, instructions }) =>
    activated === true ? [`The skill ${skill_name} is active:\n\n${String(instructions)}`] : [],
  );
  const text = `Skills that the tool \`activate\` gives you:\n${listed}`;
  return [{ role: "system", content: [text, ...active].join("\n\n") }];
}
