import { AGENT, type AnyAgent, type AnyDefinition } from "../../../tasks/index.ts";
import { HttpProblem } from "../guard/http-problem.ts";

export function definitionOf(agent: AnyAgent): AnyDefinition {
  return agent[AGENT].definition;
}

export function findAgent(agents: readonly AnyAgent[], name: string): AnyDefinition {
  const found = agents.map(definitionOf).find((each) => each.name === name);
  if (found) return found;
  const names = agents.map((each) => definitionOf(each).name);
  throw new HttpProblem(404, {
    message: `There is no agent ${name}.`,
    hint: names.length > 0 ? `This server has ${names.join(", ")}.` : "Start the server with a file of agents.",
    data: { agent: name },
  });
}
