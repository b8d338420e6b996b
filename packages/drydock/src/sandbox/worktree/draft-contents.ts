import { hash } from "node:crypto";
import type { TreeContents } from "./worktree.ts";

/** Contents of trees that are not stored, by hash: they live as long as the tree. */
export type Drafts = Map<string, Buffer>;

/** What is put goes to the drafts alone; what they do not hold is read from the store. */
export function withDrafts(contents: TreeContents, drafts: Drafts): TreeContents {
  return {
    read: async (sha256) => drafts.get(sha256) ?? contents.read(sha256),
    async put(bytes) {
      const sha256 = hash("sha256", bytes);
      drafts.set(sha256, Buffer.from(bytes));
      return { sha256, size: bytes.length };
    },
    path: async (sha256) => (drafts.has(sha256) ? undefined : contents.path?.(sha256)),
  };
}
