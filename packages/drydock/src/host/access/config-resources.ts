import type { HostAgent } from "@drydock/protocol";
import { type ConfigField, NO_SELECTION, type RunnerManifest, type RunResources } from "@drydock/protocol/runner";

/*
 * What the settings of an agent select is granted by whoever made the settings, as much as what the agent's grants name. A
 * field counts only where the form of the runner has it, with the type that selects. A default of the form does not count: a
 * plugin would grant it to itself.
 */

const LLM_SELECTORS = ["model-fallback-selector", "llm-model-selector", "select-llm-model"];
const RERANK_SELECTORS = ["rerank-model-selector"];
const KNOWLEDGE_SELECTORS = ["knowledge-base-multi-selector", "select-knowledge-bases"];
const FILE_SELECTORS = ["file", "array[file]"];

type Form = Pick<RunnerManifest, "config_schema">;
type Settings = Pick<HostAgent, "config" | "grants">;

/** Names or ids of knowledge bases. */
export function listKnowledge(
  form: Form,
  { config, grants }: { config: Settings["config"]; grants: Pick<Settings["grants"], "knowledge"> },
): string[] {
  const selected = valuesOf(form, config, KNOWLEDGE_SELECTORS).flatMap(listNames);
  return [...new Set([...grants.knowledge, ...selected])];
}

export function listModels({ config_schema, permissions }: RunnerManifest, agent: Settings): RunResources["models"] {
  const operations = new Map<string, Set<string>>();
  const add = (names: readonly string[], allowed: readonly string[]) => {
    for (const name of names) {
      const known = operations.get(name) ?? new Set();
      for (const operation of permissions.models) if (allowed.includes(operation)) known.add(operation);
      if (known.size > 0) operations.set(name, known);
    }
  };
  const form = { config_schema };
  add(agent.grants.models, permissions.models);
  add(valuesOf(form, agent.config, LLM_SELECTORS).flatMap(listChoices), ["invoke", "stream"]);
  add(valuesOf(form, agent.config, RERANK_SELECTORS).flatMap(listChoices), ["rerank"]);
  return [...operations].map(([model_id, allowed]) => ({ model_id, operations: [...allowed] }));
}

/** Whether the form has a field for models, and what the settings say there. */
export function selectsModels(form: Form, { config }: Pick<Settings, "config">): "no field" | "nothing" | "some" {
  if (!form.config_schema.some(({ type }) => LLM_SELECTORS.includes(type))) return "no field";
  return valuesOf(form, config, LLM_SELECTORS).flatMap(listChoices).length === 0 ? "nothing" : "some";
}

/** Files that the settings name by their keys. */
export function listFiles(form: Form, { config }: Settings): RunResources["files"] {
  return valuesOf(form, config, FILE_SELECTORS)
    .flat()
    .flatMap((value) => {
      const { file_key, file_id, file_name, name, mime_type } = Object(value) as Record<string, unknown>;
      const [key] = listNames(file_key ?? file_id);
      if (key === undefined) return [];
      const facts = { file_name: textOr(file_name ?? name), mime_type: textOr(mime_type) };
      return [{ file_id: key, ...facts, source: "config", operations: ["config"] }];
    });
}

function valuesOf({ config_schema }: Form, config: Record<string, unknown>, types: readonly string[]): unknown[] {
  const fields: ConfigField[] = config_schema.filter(({ type }) => types.includes(type));
  return fields.flatMap(({ name }) => (Object.hasOwn(config, name) ? [config[name]] : []));
}

/** A model, or the first choice and those after it. */
function listChoices(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return listNames(value);
  const { primary, fallbacks } = value as Record<string, unknown>;
  return [...listNames(primary), ...listNames(fallbacks)];
}

function listNames(value: unknown): string[] {
  return [value].flat().filter((name): name is string => typeof name === "string" && !NO_SELECTION.includes(name));
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
