import { DrydockError } from "@drydock/protocol";
import { SUGGESTIONS } from "../base/providers/index.ts";

const companies = SUGGESTIONS.map(({ provider }) => provider.company);
const [variable, ...others] = SUGGESTIONS.map(({ keyVariable }) => keyVariable);
const ofCompanies = `a key of ${companies.slice(0, -1).join(", ")} or ${companies.at(-1)}:`;
const COMMANDS = [
  `${ofCompanies.padEnd(38)} export ${variable}=…   (or ${others.join(", ")})`,
  "a model on this machine (Ollama):      drydock model add ollama/llama3",
  "any other server:                      drydock model add NAME/MODEL --base-url URL --key-variable VARIABLE",
];

/** How to set up a model, for a hint. */
export const MODEL_SETUP = [
  "Set up a model in one of these ways:",
  ...COMMANDS,
  "Then try it: drydock model test",
].join("\n");

/** The error if a model is needed and none was named. `need` says what for, as in "A goal needs a model". */
export function noModelError(need: string): DrydockError {
  return new DrydockError("model.unavailable", `${need}, and no model is set up.`, MODEL_SETUP);
}
