export { runAgentLoop } from "./agent-loop.ts";
export { type AskPorts, askModel, type Question } from "./ask-model.ts";
export { type Budget, createBudget, type Spent } from "./budget.ts";
export { createModel, type ModelOptions } from "./create-model.ts";
export type { Documents, Journal, JournalEntry } from "./journal.ts";
export { loadTemplates, type Prompts } from "./load-templates.ts";
export type { Model, ModelRequest, ToolSpec } from "./model.ts";
export { noModel } from "./no-model.ts";
export { parseModelSpec } from "./parse-model-spec.ts";
export type { RetryNotice } from "./providers/ask-provider.ts";
export {
  KNOWN_PROVIDERS,
  type ProviderSettings,
  type ProxySettings,
  SUGGESTED_MODELS,
} from "./providers/provider-settings.ts";
export { createReplayModel } from "./replay-model.ts";
export { countScriptedUses } from "./scripted-model.ts";
