export type { CheckProblem } from "./check-types/check-descriptor.ts";
export { describeCheckType } from "./check-types/check-types.ts";
export { isParticular } from "./implied/scope-names.ts";
export { isTestConfiguration, isTestFile } from "./implied/test-files.ts";
export { type JudgedTrees, type JudgeTreeOptions, judgeTree } from "./judge-tree.ts";
export type { JudgedEntry, JudgedTree } from "./judged-tree.ts";
export { toJudgedTree } from "./judged-work-tree.ts";
export { decideVerdict, type VerdictDecision } from "./proof/decide-verdict.ts";
export {
  type CheckRecord,
  type CommandCheck,
  isCommandCheck,
  isLasting,
  type RecordStore,
} from "./proof/records/base-record.ts";
export { createMemoryStore } from "./proof/records/memory-store.ts";
export { recordChecks } from "./proof/records/record-checks.ts";
export { type EarlyRecords, type EarlyRequest, takeRecordsEarly } from "./proof/records/take-records-early.ts";
export { findTestInputs } from "./proof/test-inputs.ts";
export { accumulateServices, findCheckProblems } from "./refuse-check.ts";
export { validateInWorker } from "./worker/run-in-worker.ts";
