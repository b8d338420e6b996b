import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { ScanProgress } from "../scan-directory.ts";
import { createWorkspaceIndex, type WorkspaceIndexOptions } from "../workspace-index.ts";

export function openIndex(workspace: string, options: WorkspaceIndexOptions = {}) {
  const index = createWorkspaceIndex(workspace, options);
  onTestFinished(() => index.close());
  return index;
}

/** Like `openIndex`, and counts the files whose content was read. */
export function openCountingIndex(workspace: string, options: WorkspaceIndexOptions = {}) {
  let last: ScanProgress = { scanned: 0, hashed: 0 };
  const index = openIndex(workspace, options);
  const onProgress = (progress: ScanProgress) => {
    last = progress;
  };
  const refresh = async () => {
    last = { scanned: 0, hashed: 0 };
    const snapshot = await index.refresh({ onProgress });
    return { snapshot, ...last };
  };
  return { index, refresh };
}

/** Files written just now are hashed again on purpose; most tests want them past that. */
export const pastRacyWindow = () => sleep(60);
