import { decodePath } from "../../../sandbox/index.ts";
import { parentOf } from "../plan-delivery.ts";
import { isPassedOver, type TreeView, type TreeViewNode } from "../traps/tree-view.ts";
import type { GitHead } from "./read-head.ts";
import { type GitPlace, gitFailedError, runGit } from "./run-git.ts";

const SYMLINK = "120000";

/** The commit's tree below the workspace. Git knows directories only by what they hold. */
export function createHeadView(place: GitPlace, { entries, prefix }: GitHead): TreeView {
  const names = new Map<string, Set<string>>([["", new Set()]]);
  for (const full of entries.keys()) {
    if (!full.startsWith(prefix)) continue;
    for (let at = full.slice(prefix.length); at !== ""; at = parentOf(at)) {
      const inside = names.get(parentOf(at)) ?? new Set();
      names.set(parentOf(at), inside.add(at.slice(at.lastIndexOf("/") + 1)));
    }
  }
  return {
    async peek(path): Promise<TreeViewNode> {
      if (names.has(path)) return { type: "directory", mode: 0o755 };
      const entry = entries.get(prefix + path);
      if (!entry) return { type: "absent" };
      if (entry.mode !== SYMLINK) return { type: "file" };
      const read = await runGit(place, { args: ["cat-file", "blob", entry.oid] });
      if (read.status !== 0) throw gitFailedError(place.workspace, "cat-file", read);
      return { type: "symlink", target: decodePath(read.stdout) };
    },
    list: async (path) => [...(names.get(path) ?? [])],
    links: async () =>
      [...entries]
        .filter(([full, { mode }]) => mode === SYMLINK && full.startsWith(prefix))
        .map(([full]) => full.slice(prefix.length))
        .filter((path) => !path.split("/").slice(0, -1).some(isPassedOver)),
  };
}
