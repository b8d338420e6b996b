/** What other use cases use of this one. */
export type { WithinBudget } from "./call-ports.ts";
export type { LiveExtensions } from "./create-extensions.ts";
export { terminalEvent } from "./record-call.ts";
export { createSecrets } from "./secrets/create-secrets.ts";
