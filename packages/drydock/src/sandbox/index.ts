export { inspectBackends } from "./backends/choose-backends.ts";
export { type BackendFacts, describeReport } from "./backends/describe-report.ts";
export type { OpenUpstreams, RunUpstreams, UpstreamRequest } from "./egress/upstream-server.ts";
export { findPython } from "./find-python.ts";
export type { ScanProgress, SnapshotEntry } from "./layers/index.ts";
export { comparePaths, createBaseReader, decodePath, encodePath, isOutsideTree, layerChanges } from "./layers/index.ts";
export type { TerminalSize } from "./live/live-link.ts";
export type { LiveRun, Moment } from "./live/live-run.ts";
export { measureBare } from "./measure-bare.ts";
export type { AnswerInput, InputRequest } from "./members/answer-input.ts";
export type { Observed, ObservedProgram } from "./members/transcript.ts";
export type { NetworkUse } from "./network-use.ts";
export { type Outcome, refusedOutcome } from "./outcome.ts";
export { expandHome } from "./project/expand-home.ts";
export type { Mount } from "./resolve-mounts.ts";
export { createSandbox, type Sandbox } from "./sandbox.ts";
export type { SandboxSession } from "./session/live-session.ts";
export { KERNEL_DIRECTORY } from "./start-fork-server-early.ts";
export { resolveWorkspace } from "./view/resolve-workspace.ts";

/** Comparing texts line by line is for those who look at a diff. */
export const loadLayerDiff = () => import("./layers/diff-layer.ts");
export type { Work } from "./describe-work.ts";
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
