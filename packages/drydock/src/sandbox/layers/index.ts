export { createBaseReader } from "./base-reader.ts";
export { buildLayer, type LayerInput, type LayerRules, type RawChange } from "./build-layer.ts";
export { layerChanges } from "./layer-changes.ts";
export { decodePath, toFilePath } from "./path-bytes.ts";
export type { ScanProgress } from "./scan-directory.ts";
export { EMPTY_SNAPSHOT, type PathMatcher, type Snapshot, type SnapshotEntry } from "./snapshot.ts";
export {
  createWorkspaceIndex,
  type RefreshOptions,
  type WorkspaceIndex,
  type WorkspaceIndexOptions,
} from "./workspace-index.ts";
