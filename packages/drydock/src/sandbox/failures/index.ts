export {
  type Ending,
  type ExceptionReport,
  type GuardViolation,
  type LimitName,
  type RunReport,
  readReport,
} from "./ending.ts";
export { explainFailure } from "./explain-failure.ts";
export type { FailureContext } from "./failure-context.ts";
