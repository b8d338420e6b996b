export type { Ending, FailureContext } from "./failures/index.ts";
export { findPython } from "./find-python.ts";
export type { ScanProgress } from "./layers/index.ts";
export { comparePaths, createBaseReader, decodePath, encodePath, isOutsideTree, layerChanges } from "./layers/index.ts";
export { measureBare } from "./measure-bare.ts";
export { TO_WARDEN } from "./members/frames.ts";
export { parseBounded } from "./parse-bounded.ts";
export { expandHome } from "./project/expand-home.ts";
export type { Shelf } from "./resolve-shelves.ts";
export { resolveWorkspace } from "./resolve-workspace.ts";
export { attendMember, type Observed, type ObservedProgram, type Transcript } from "./run-on-member.ts";
export {
  createSandbox,
  type Execution,
  type Sandbox,
} from "./sandbox.ts";
export { KERNEL_DIRECTORY } from "./start-early.ts";

/** Why something failed is for those who failed. */
export const loadFailures = () => import("./failures/index.ts");
/** Comparing texts line by line is for those who look at a diff. */
export const loadLayerDiff = () => import("./layers/diff-layer.ts");
export { checkLevel } from "./check-level.ts";
export { describeGuard, describeLimits, type Work } from "./describe-work.ts";
export { isNeverWritten } from "./worktree/check-write.ts";
export { type Drafts, withDrafts } from "./worktree/draft-contents.ts";
export { MAX_MERGE_BYTES, mergeText } from "./worktree/merge-text.ts";
export { openWorkbench } from "./worktree/open-workbench.ts";
export type {
  TreeContents,
  TreeRules,
  TreeWrite,
  Workbench,
  WorkTree,
} from "./worktree/worktree.ts";
