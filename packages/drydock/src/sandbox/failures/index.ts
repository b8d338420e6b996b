export { type Ending, readReport } from "./ending.ts";
export { explainFailure } from "./explain-failure.ts";
export type { FailureContext } from "./failure-context.ts";
