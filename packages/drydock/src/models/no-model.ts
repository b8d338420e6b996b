import { DrydockError } from "@drydock/protocol";

const COMMANDS = [
  "export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY): its provider is asked from then on",
  "drydock model add ollama/llama3   for a model on this machine",
  "drydock model add NAME/MODEL --base-url URL --key-variable VARIABLE   for any other server",
];

/** The error where a model is needed and nobody named one. `need` is the end of the sentence. */
export function noModel(need: string): DrydockError {
  const hint = [
    "Set one up in one of these ways, and try it with `drydock model test`; --model PROVIDER/NAME names one for this once:",
    ...COMMANDS,
  ].join("\n");
  return new DrydockError("model.unavailable", `No model is configured, and ${need}.`, hint);
}
