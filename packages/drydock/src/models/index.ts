export type { RetryNotice } from "./ask-provider.ts";
export { type Budget, createBudget, type Spent } from "./budget.ts";
export { createModel, type ModelOptions } from "./create-model.ts";
export type { Model, ModelRequest, ToolSpec } from "./model.ts";
export { parseModelSpec } from "./parse-model-spec.ts";
export { KNOWN_PROVIDERS, type ProviderSettings } from "./provider-settings.ts";
export { parseYaml, readYamlText } from "./read-yaml-file.ts";
export { createReplayModel } from "./replay-model.ts";
export { countScriptedUses } from "./scripted-model.ts";
