export { createBaseReader } from "./base-reader.ts";
export { buildLayer, type RawChange } from "./build-layer.ts";
export { layerChanges } from "./layer-changes.ts";
export { decodePath, toFilePath } from "./path-bytes.ts";
export { EMPTY_SNAPSHOT, type Snapshot, type SnapshotEntry } from "./snapshot.ts";
export {
  createWorkspaceIndex,
  type WorkspaceIndex,
} from "./workspace-index.ts";
