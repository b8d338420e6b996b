import { join } from "node:path";

/** Where a workspace keeps its own checks. */
export function workspaceChecksPath(workspace: string): string {
  return join(workspace, ".drydock", "checks.yaml");
}
