export { createEgressProxy, type EgressProxy } from "./egress-proxy.ts";
export { proxyEnvironment } from "./proxy-environment.ts";
