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
  /** Directories that git's configuration names for hooks, relative to the workspace. */
  hookDirectories: readonly string[];
}

const HOOK_REASON = "git runs it as a hook: core.hooksPath names its directory";

/** New and changed files that run by themselves. Deleting one needs no approval. */
export async function findAutorun(
  entries: readonly LayerEntry[],
  { tree, contents, hookDirectories }: AutorunSearch,
): Promise<AutorunFile[]> {
  const aliases = await findAliases(tree);
  const hooks = await followDirectories(tree, hookDirectories);
  const found: AutorunFile[] = [];
  for (const entry of entries) {
    const { path, kind, type } = entry;
    if (kind === "deleted" || type === "directory") continue;
    if (hooks.some((directory) => isAtOrBelow(path, directory) || isAtOrBelow(directory, path))) {
      found.push({ path, reason: HOOK_REASON });
      continue;
    }
    for (const rule of [path, ...listNames(path, aliases)].flatMap((name) => findRules(name, type))) {
      const reason = await findReason(rule, entry, contents);
      if (reason === null) continue;
      found.push({ path, reason });
      break;
    }
  }
  return found;
}

function findRules(path: string, type: LayerEntry["type"]): AutorunRule[] {
  const names = path.split("/");
  // Files that packages have there are not read by any program: it is not the root of a project.
  if (names.includes("node_modules")) return [];
  const folded = names.map(foldName).join("/");
  return COMPILED.filter(({ matches, leadsTo }) => matches(folded) || (type === "symlink" && leadsTo(folded))).map(
    ({ rule }) => rule,
  );
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
  /** The name that programs know it by: that of a symlink which stands where a rule's file would, or on the way to it. */
  name: string;
  /** Where the symlink leads. */
  target: string;
}

/** `.claude` may be a symlink to `agents`: then what lies in `agents` is what runs. */
async function findAliases(tree: TreeView): Promise<Alias[]> {
  const aliases: Alias[] = [];
  let links = await tree.links();
  for (let before = -1; before < aliases.length; ) {
    before = aliases.length;
    const others: string[] = [];
    for (const link of links) {
      // A symlink in a directory that another one leads to goes by that one's name.
      const name = [link, ...listNames(link, aliases)].find((each) => findRules(each, "symlink").length > 0);
      if (name === undefined) {
        others.push(link);
        continue;
      }
      const node = await tree.peek(link);
      const end = node.type === "symlink" ? await followLink(tree, link, node.target) : null;
      if (end?.kind === "inside") aliases.push({ name, target: end.path });
    }
    links = others;
  }
  return aliases;
}

/** By which names programs find a path, beside its own. */
function listNames(path: string, aliases: readonly Alias[]): string[] {
  return aliases
    .filter(({ target }) => isAtOrBelow(path, target))
    .map(({ name, target }) => renamed(path, target, name));
}

function renamed(path: string, from: string, to: string): string {
  if (from === "") return `${to}/${path}`;
  return path === from ? to : `${to}${path.slice(from.length)}`;
}

/** Where git finds its hooks: the directories that its configuration names, and where links on the way lead. */
async function followDirectories(tree: TreeView, directories: readonly string[]): Promise<string[]> {
  const all = new Set(directories);
  for (const directory of directories) {
    const end = await followLink(tree, "", directory);
    if (end.kind === "inside" && end.path !== "") all.add(end.path);
  }
  return [...all];
}

function isAtOrBelow(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}
