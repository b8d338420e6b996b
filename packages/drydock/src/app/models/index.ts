/** What other use cases use of this one. */
export { type ModelSettings, readHomeConfig, readModelSettings } from "./config-models.ts";
export { describeRetry, openModel, sumUsage } from "./open-model.ts";
export { type OwnerDefaults, readDefaults } from "./read-defaults.ts";
export { readEndpoints } from "./read-endpoints.ts";
export type { EnvironmentVariables } from "./read-providers.ts";
export type { WrapModel } from "./wrap-model.ts";
