import { DrydockError } from "@drydock/protocol";

const COMMANDS = [
  "a key of Anthropic, OpenAI or Google:  export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY)",
  "a model on this machine (Ollama):      drydock model add ollama/llama3",
  "any other server:                      drydock model add NAME/MODEL --base-url URL --key-variable VARIABLE",
];

/** The error where a model is needed and nobody named one. `need` says what for, as in "A goal needs a model". */
export function noModel(need: string): DrydockError {
  const hint = ["Set up a model in one of these ways:", ...COMMANDS, "Then try it: drydock model test"].join("\n");
  return new DrydockError("model.unavailable", `${need}, and no model is set up.`, hint);
}
