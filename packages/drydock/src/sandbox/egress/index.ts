export { createEgressProxy, type EgressProxy, type EgressProxyOptions } from "./egress-proxy.ts";
export type { EgressGrant, EgressRun } from "./egress-run.ts";
export { DEFAULT_EGRESS_LIMITS, type EgressLimits } from "./limits.ts";
export { proxyEnvironment } from "./proxy-environment.ts";
