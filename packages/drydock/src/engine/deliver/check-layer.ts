import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import { parentOf } from "./plan-delivery.ts";
import { findInRepositories } from "./traps/find-repositories.ts";
import { isRepositoryName } from "./traps/fold-name.ts";
import { findEscapingLinks } from "./traps/follow-link.ts";
import type { TreeView } from "./traps/tree-view.ts";

const SET_ID_BITS = 0o6000;
const SHOWN = 50;

/** Throws `policy.path_denied` for a layer with anything in it that may not be delivered. */
export function checkLayer(layer: Layer, rules: PathRules): void {
  if (layer.denied.length > 0) {
    throw refuse(layer.denied, "were written outside of what the policy lets a run change");
  }
  // Wherever they are: git obeys what lies in a `.git` as soon as somebody works in the directory around it.
  const stores = layer.entries.filter(({ path }) => path.split("/").some(isRepositoryName)).map(({ path }) => path);
  if (stores.length > 0) throw refuse(stores, "are a repository's own files (.git, .hg or .drydock, in any spelling)");
  const ways = findWays(layer.entries, rules);
  const outside = layer.entries.filter((entry) => !mayDeliver(entry, rules, ways)).map(({ path }) => path);
  if (outside.length > 0) throw refuse(outside, "are protected, hidden or outside of the write scope");
  const powers = layer.entries.filter(grantsPowers).map(({ path }) => path);
  if (powers.length > 0) throw refuse(powers, "would run with the rights of their owner (set-user-ID or set-group-ID)");
}

/** Throws `policy.path_denied` for entries that would be a trap in the tree that they result in. */
export async function checkResult(tree: TreeView, entries: readonly LayerEntry[]): Promise<void> {
  const inside = await findInRepositories(tree, entries);
  if (inside.length > 0) {
    throw refuse(inside, "are in a directory that git takes for a repository, and git obeys what lies there");
  }
  const escaping = await findEscapingLinks(tree, entries);
  if (escaping.length > 0) {
    throw refuse(escaping, "are symbolic links that lead out of the workspace or into a repository's own files");
  }
}

function mayDeliver({ path, kind, type }: LayerEntry, rules: PathRules, ways: ReadonlySet<string>): boolean {
  const names = path.split("/");
  if (path.includes("\0") || names.some((name) => name === "" || name === "." || name === "..")) return false;
  if (rules.hidden(path) || rules.protectedPath(path)) return false;
  return rules.writable(path) || (kind === "added" && type === "directory" && ways.has(path));
}

/** A new directory outside the write scope is no offence where it only leads to something inside it. */
function findWays(entries: readonly LayerEntry[], rules: PathRules): Set<string> {
  const ways = new Set<string>();
  for (const { path } of entries) {
    if (!rules.writable(path)) continue;
    for (let way = parentOf(path); way !== "" && !ways.has(way); way = parentOf(way)) ways.add(way);
  }
  return ways;
}

function grantsPowers({ kind, type, mode, sha256, wasSha256, wasMode = 0 }: LayerEntry): boolean {
  if (kind === "deleted" || type !== "file" || (mode & SET_ID_BITS) === 0) return false;
  return sha256 !== wasSha256 || (mode & SET_ID_BITS & ~wasMode) !== 0;
}

function refuse(paths: readonly string[], why: string): DrydockError {
  const [first = ""] = paths;
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  return new DrydockError(
    "policy.path_denied",
    `The changes can't be delivered: ${first}${more} ${paths.length > 1 ? why : inSingular(why)}.`,
    "Copy what you need by hand (`drydock runs diff` shows it), or run again without changing these paths. The changes are kept.",
    { paths: paths.slice(0, SHOWN) },
  );
}

function inSingular(why: string): string {
  return why
    .replace(/^(are|were)/, (word) => (word === "are" ? "is" : "was"))
    .replace("is symbolic links that lead", "is a symbolic link that leads")
    .replace("is a repository's own files", "belongs to a repository's own files");
}
