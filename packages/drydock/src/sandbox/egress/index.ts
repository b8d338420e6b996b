export { createEgressProxy, type EgressProxy } from "./egress-proxy.ts";
export type { EgressGrant } from "./egress-run.ts";
