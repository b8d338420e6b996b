import { type RunnerContext, RunnerError } from "@drydock/runner-sdk";

export interface Settings {
  /** In the order in which they are asked. */
  models: string[];
  /** Null: all that the run may use. */
  tools: string[] | null;
  knowledgeTopK: number;
  rerankModel: string | null;
  rerankTopK: number;
  historyTokens: number;
  toolRounds: number;
  removesThoughts: boolean;
}

const NO_SELECTION = ["", "__none__", "__none"];

/** The settings of the agent, checked. What is not set has the default of the form. */
export function readSettings({
  config,
  resources,
  metadata,
}: Pick<RunnerContext, "config" | "resources" | "metadata">): Settings {
  const tools = readList(config.tools, "tools");
  const rerankModel = readText(config["rerank-model"], "rerank-model");
  const models = listModels(config.model, resources.models);
  if (models.length === 0) throw noModel(String(metadata.agent ?? "NAME"));
  return {
    models,
    tools: tools.length === 0 ? null : tools,
    knowledgeTopK: readCount(config, "knowledge-top-k", { fallback: 5, min: 1, max: 50 }),
    rerankModel: NO_SELECTION.includes(rerankModel) ? null : rerankModel,
    rerankTopK: readCount(config, "rerank-top-k", { fallback: 5, min: 1, max: 50 }),
    historyTokens: readCount(config, "history-tokens", { fallback: 8000, min: 0, max: 2_000_000 }),
    toolRounds: readCount(config, "tool-rounds", { fallback: 10, min: 0, max: 100 }),
    removesThoughts: readFlag(config, "remove-think"),
  };
}

/** What the settings select, in its order, of what may be used; without a selection, what the agent grants. */
function listModels(selected: unknown, granted: RunnerContext["resources"]["models"]): string[] {
  const usable = granted
    .filter(({ operations }) => operations.includes("invoke") || operations.includes("stream"))
    .map(({ model_id }) => model_id);
  const { primary, fallbacks } =
    typeof selected === "object" && selected !== null
      ? (selected as Record<string, unknown>)
      : { primary: selected, fallbacks: [] };
  const names = [readText(primary, "model"), ...readList(fallbacks, "model.fallbacks")];
  const chosen = [...new Set(names)].filter((name) => !NO_SELECTION.includes(name));
  return chosen.length === 0 ? usable : chosen.filter((name) => usable.includes(name));
}

function noModel(agent: string): RunnerError {
  const message =
    `The agent has no model to ask. Give it one: \`drydock agent edit ${agent} --model PROVIDER/NAME\`. ` +
    "`drydock model list` shows what is set up, `drydock model add PROVIDER/NAME` sets one up.";
  return new RunnerError("runner.no_model", message);
}

function readText(value: unknown, name: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw invalid(name, "must be a text");
}

function readList(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw invalid(name, "must be a list of texts");
}

function readCount(
  config: RunnerContext["config"],
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = config[name] ?? fallback;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw invalid(name, `must be a whole number from ${min} to ${max}`);
}

function readFlag(config: RunnerContext["config"], name: string): boolean {
  const value = config[name] ?? false;
  if (typeof value === "boolean") return value;
  throw invalid(name, "must be true or false");
}

function invalid(name: string, problem: string): RunnerError {
  return new RunnerError("local-agent.config_invalid", `The setting \`${name}\` ${problem}.`);
}
