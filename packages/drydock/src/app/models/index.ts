/** What other use cases use of this one. */
export { CONFIG_KIND, type ModelSettings, readHomeConfig, readModelSettings } from "./config-models.ts";
export { describeRetry, openModel, sumUsage } from "./open-model.ts";
export { openSpending, type Spending } from "./open-spending.ts";
export { type OwnerDefaults, readDefaults } from "./read-defaults.ts";
export { readEndpoints } from "./read-endpoints.ts";
export { type EnvironmentVariables, readProviders } from "./read-providers.ts";
export { readProxyRules } from "./read-proxies.ts";
export type { WrapModel } from "./wrap-model.ts";
