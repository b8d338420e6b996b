import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import { parentOf } from "./plan-delivery.ts";

/** Wherever they are: git obeys what lies in a `.git` as soon as somebody works in the directory around it. */
const NEVER_TOUCHED = new Set([".git", ".drydock"]);
const SET_ID_BITS = 0o6000;
const SHOWN = 50;

/** Throws `policy.path_denied` for a layer with anything in it that may not be delivered. */
export function checkLayer(layer: Layer, rules: PathRules): void {
  if (layer.denied.length > 0) {
    throw refuse(layer.denied, "were written outside of what the policy lets a run change");
  }
  const ways = findWays(layer.entries, rules);
  const outside = layer.entries.filter((entry) => !mayDeliver(entry, rules, ways)).map(({ path }) => path);
  if (outside.length > 0) throw refuse(outside, "are protected, hidden or outside of the write scope");
  const powers = layer.entries.filter(grantsPowers).map(({ path }) => path);
  if (powers.length > 0) throw refuse(powers, "would run with the rights of their owner (set-user-ID or set-group-ID)");
}

function mayDeliver({ path, kind, type }: LayerEntry, rules: PathRules, ways: ReadonlySet<string>): boolean {
  const names = path.split("/");
  if (path.includes("\0") || names.some((name) => name === "" || name === "." || name === "..")) return false;
  if (names.some((name) => NEVER_TOUCHED.has(name))) return false;
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
    `The changes can't be delivered: ${first}${more} ${paths.length > 1 ? why : why.replace(/^(are|were)/, (word) => (word === "are" ? "is" : "was"))}.`,
    "Take over by hand what you want of it (`drydock runs diff`), or run it again without these paths. The changes are kept.",
    { paths: paths.slice(0, SHOWN) },
  );
}
