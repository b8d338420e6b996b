import { hash } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import type { TreeDirectory } from "../layers/index.ts";
import { checkWrite } from "./check-write.ts";
import { createTreeDraft, type TreeDraft } from "./tree-draft.ts";
import type { TreeRules, TreeWrite } from "./worktree.ts";

const NEW_FILE_MODE = 0o644;

/** The tree after the writes, in order; the first that can't be done throws. The contents are nowhere yet. */
export function applyWrites(root: TreeDirectory, writes: readonly TreeWrite[], rules: TreeRules): TreeDirectory {
  const draft = createTreeDraft(root);
  for (const write of writes) {
    checkWrite(write.path, rules);
    if ("delete" in write) remove(draft, write.path, rules);
    else place(draft, write);
  }
  return draft.finish();
}

function place(draft: TreeDraft, { path, content, mode }: Extract<TreeWrite, { content: Uint8Array }>): void {
  const found = draft.find(path);
  if (found?.type === "directory") throw invalid(path, "is a directory", "Choose another name, or delete it first.");
  if (mode !== undefined && (!Number.isInteger(mode) || mode < 0 || mode > 0o777)) {
    throw invalid(path, "has an invalid file mode", "Give permission bits between 0 and 0o777.");
  }
  const kept = found?.type === "file" ? found.mode : NEW_FILE_MODE;
  const sha256 = hash("sha256", content);
  draft.place(path, { type: "file", mode: mode ?? kept, size: content.length, sha256 });
}

function remove(draft: TreeDraft, path: string, rules: TreeRules): void {
  const found = draft.find(path);
  if (!found) throw invalid(path, "is not there, so it can't be deleted", "List the directory to see what is.");
  // With a directory all below it goes, and all of that must be allowed; what is hidden there is not named.
  for (const below of found.type === "directory" ? draft.below(path) : []) {
    if (rules.writable(below)) continue;
    throw new DrydockError(
      "policy.path_denied",
      `${path} can't be deleted: it holds paths that may not be changed.`,
      "Delete single files inside the write scope instead.",
      { path },
    );
  }
  draft.remove(path);
}

function invalid(path: string, problem: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `${path} ${problem}.`, hint, { path });
}
