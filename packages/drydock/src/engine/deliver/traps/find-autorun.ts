import type { AutorunFile, LayerEntry } from "@drydock/protocol";
import { AUTORUN_RULES, type AutorunRule } from "./autorun-rules.ts";
import { type ComparedContents, findChangedScripts, namesNewDrivers } from "./autorun-tests.ts";
import { foldName } from "./fold-name.ts";
import { followLink } from "./follow-link.ts";
import type { TreeView } from "./tree-view.ts";

interface AutorunSearch {
  /** The tree as it will be. */
  tree: TreeView;
  contents: ComparedContents;
  /** Directories that git is told to look for hooks in, relative to the workspace. */
  hookDirectories: readonly string[];
}

const HOOK_REASON = "git runs it as a hook: core.hooksPath names its directory";

/** New and changed files that run by themselves. To delete one needs nobody's word. */
export async function findAutorun(
  entries: readonly LayerEntry[],
  { tree, contents, hookDirectories }: AutorunSearch,
): Promise<AutorunFile[]> {
  const aliases = await findAliases(tree);
  const found: AutorunFile[] = [];
  for (const entry of entries) {
    const { path, kind, type } = entry;
    if (kind === "deleted" || type === "directory") continue;
    if (hookDirectories.some((directory) => isAtOrBelow(path, directory) || isAtOrBelow(directory, path))) {
      found.push({ path, reason: HOOK_REASON });
      continue;
    }
    const rule = aliases.find(({ target }) => isAtOrBelow(path, target))?.rule ?? findRule(path, type);
    const reason = rule && (await findReason(rule, entry, contents));
    if (reason) found.push({ path, reason });
  }
  return found;
}

function findRule(path: string, type: LayerEntry["type"]): AutorunRule | undefined {
  const names = path.split("/");
  // What packages bring along there is read by nobody: it is no project's root.
  if (names.includes("node_modules")) return undefined;
  const folded = names.map(foldName).join("/");
  return COMPILED.find(({ matches, leadsTo }) => matches(folded) || (type === "symlink" && leadsTo(folded)))?.rule;
}

async function findReason(rule: AutorunRule, entry: LayerEntry, contents: ComparedContents): Promise<string | null> {
  const { test = "always", reason } = rule;
  // What a link leads to may change without a word about the link.
  if (entry.type === "symlink") return reason;
  switch (test) {
    case "always":
      return reason;
    case "new":
      return entry.wasType === "file" ? null : reason;
    case "package-scripts":
      return findChangedScripts(contents, entry);
    case "git-drivers":
      return (await namesNewDrivers(contents, entry)) ? reason : null;
    default:
      return test satisfies never;
  }
}

interface CompiledRule {
  rule: AutorunRule;
  matches(path: string): boolean;
  /** Whether the path is a directory on the way to what the rule names: a link in its place leads elsewhere. */
  leadsTo(path: string): boolean;
}

const COMPILED: readonly CompiledRule[] = AUTORUN_RULES.map((rule) => {
  const whole = compile(rule.patterns);
  const ways = compile(rule.patterns.flatMap(listWays));
  return { rule, matches: (path) => whole.test(path), leadsTo: (path) => ways.test(path) };
});

function compile(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) =>
    pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replace(/\/\*\*$/, "/.+")
      .replace(/\*/g, "[^/]*"),
  );
  // Without a pattern, nothing matches.
  return new RegExp(`(?:^|/)(?:${sources.join("|") || "(?!)"})$`, "s");
}

/** `.github/workflows/**`: `.github` and `.github/workflows`. */
function listWays(pattern: string): string[] {
  const names = pattern.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

interface Alias {
  /** Where a symlink of the workspace leads that stands where a rule's file would. */
  target: string;
  rule: AutorunRule;
}

/** `.claude` may be a symlink to `agents`: then what lies in `agents` is what runs. */
async function findAliases(tree: TreeView): Promise<Alias[]> {
  const aliases: Alias[] = [];
  for (const rule of AUTORUN_RULES) {
    const places = new Set(rule.patterns.flatMap((pattern) => [...listWays(pattern), pattern]));
    for (const place of places) {
      if (place.includes("*")) continue;
      const node = await tree.peek(place);
      if (node.type !== "symlink") continue;
      const end = await followLink(tree, place, node.target);
      if (end.kind === "inside" && end.path !== "") aliases.push({ target: end.path, rule });
    }
  }
  return aliases;
}

function isAtOrBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
