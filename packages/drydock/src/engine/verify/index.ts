export { validateApart } from "./apart/run-apart.ts";
export { isParticular } from "./implied/scope-names.ts";
export { type JudgedTrees, type JudgeTreeOptions, judgeTree } from "./judge-tree.ts";
export type { JudgedEntry, JudgedTree } from "./judged-tree.ts";
export { toJudgedTree } from "./judged-work-tree.ts";
export { type CheckRecord, isLasting, type RecordStore } from "./proof/base-record.ts";
export { decideVerdict } from "./proof/decide-verdict.ts";
export { createMemoryStore } from "./proof/memory-store.ts";
export { type CheckProblem, findCheckProblems } from "./refuse-check.ts";
