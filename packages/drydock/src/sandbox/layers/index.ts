export { createBaseReader } from "./base-reader.ts";
export { buildLayer, mergeEntries, type RawChange } from "./build-layer.ts";
export { diffTrees, extendDiff } from "./diff-trees.ts";
export { layerChanges } from "./layer-changes.ts";
export { comparePaths, decodePath, encodePath, joinPath, toFilePath } from "./path-bytes.ts";
export type { ScanProgress } from "./scan-directory.ts";
export { createSnapshot, EMPTY_SNAPSHOT, type Snapshot, type SnapshotEntry } from "./snapshot.ts";
export {
  deriveDirectoryNode,
  findNode,
  isOutsideTree,
  type TreeDirectory,
  type TreeNode,
} from "./tree.ts";
export {
  createWorkspaceIndex,
  type RefreshOptions,
  type WorkspaceIndex,
} from "./workspace-index.ts";
