import { Message, NO_SELECTION, type RunnerManifest } from "@drydock/protocol/runner";

/** The messages of the first prompt field of the runner's form: what the agent has set, else what the form suggests. */
export function readPrompt(manifest: RunnerManifest, config: Readonly<Record<string, unknown>>): Message[] {
  const field = manifest.config_schema.find(({ type }) => type === "prompt-editor");
  if (!field) return [];
  const { name, id = `${manifest.id}.${name}` } = field;
  const value = config[name] ?? config[id] ?? field.default;
  if (typeof value === "string") return NO_SELECTION.includes(value) ? [] : [{ role: "system", content: value }];
  return Message.array().safeParse(value).data ?? [];
}
