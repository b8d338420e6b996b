import { createHash } from "node:crypto";
import { comparePaths, decodePath, encodePath, type WorkTree } from "../../../sandbox/index.ts";
import { findIgnored, listPaths } from "./find-ignored.ts";
import { gitMode } from "./read-head.ts";
import { type GitPlace, gitFailedError, runGit } from "./run-git.ts";

/** Attributes with which git stores other bytes than those of the file: always, or where its lines end in CRLF. */
const CONVERTING = ["filter", "ident", "working-tree-encoding"];
const LINE_ENDING = ["text", "eol", "crlf"];
const PLAIN = new Set(["unspecified", "unset"]);

/** The object name of the tree in git, or the reason why there is none. */
export type GitTree = { kind: "tree"; tree: string } | { kind: "unknown"; reason: string };

interface GitEntry {
  mode: string;
  oid: Buffer;
}

/** A directory on its way to being hashed. */
type Draft = Map<string, GitEntry | Draft>;

/**
 * What `git add --all && git write-tree` would name for this tree, without running either: both start programs that a
 * repository names. Where git would store something else than what lies in the tree, there is no answer. What is ignored is
 * left out; of `.drydock`, which trees leave out, what the index holds is put in.
 */
export async function hashGitTree(place: GitPlace, tree: WorkTree): Promise<GitTree> {
  const unknown = (reason: string): GitTree => ({ kind: "unknown", reason });
  const found = await runGit(place, {
    args: ["rev-parse", "--show-prefix", "--show-toplevel", "--show-object-format"],
  });
  if (found.status !== 0) return unknown("the workspace is not a git working tree");
  const [prefix = "", top = "", format = ""] = found.stdout.toString().split("\n");
  if (`${top}/${prefix}`.replace(/\/$/, "") !== place.workspace) return unknown("its git working tree is another");
  const paths = tree.paths().filter((path) => tree.lookup(path)?.type !== "directory");
  const rules = tree.layer.entries.find(({ path }) => /(^|\/)\.git(ignore|attributes|modules)$/.test(path));
  if (rules) return unknown(`the run changes ${rules.path}, and is not delivered yet`);
  if (tree.paths().some((path) => path.split("/").includes(".git"))) return unknown("there is a repository within it");
  for (const name of ["core.fileMode", "core.symlinks"]) {
    if ((await readSetting(place, name)) === "false") return unknown(`${name} is false`);
  }
  const converts = /^(true|input)$/.test(await readSetting(place, "core.autocrlf"));
  const attributes = await readAttributes(place, paths);
  const index = await readIndex(place);
  if (index.some(({ mode }) => mode === "160000")) return unknown("there are submodules");
  const ignored = await findIgnored(place, paths, { withIndex: true });
  const root: Draft = new Map();
  for (const path of paths.filter((each) => !ignored.has(each))) {
    const entry = tree.lookup(path);
    const content = entry?.type === "symlink" ? encodePath(entry.target ?? "") : await tree.read(path);
    if (!entry || !content) return unknown(`${path} can't be read`);
    const names = attributes.get(path) ?? [];
    const isText = converts || names.some((name) => LINE_ENDING.includes(name));
    if (names.some((name) => CONVERTING.includes(name)) || (isText && content.includes("\r\n"))) {
      return unknown(`git stores other bytes for ${path} than it holds`);
    }
    put(root, path, { mode: gitMode(entry.type, entry.mode), oid: hashObject(format, "blob", content) });
  }
  for (const { path, mode, oid } of index) {
    if (path.startsWith(".drydock/")) put(root, path, { mode, oid: Buffer.from(oid, "hex") });
  }
  return { kind: "tree", tree: hashDraft(format, root).toString("hex") };
}

function put(root: Draft, path: string, entry: GitEntry): void {
  const names = path.split("/");
  const last = names.pop() ?? "";
  let directory = root;
  for (const name of names) {
    const next = directory.get(name);
    const child: Draft = next instanceof Map ? next : new Map();
    directory.set(name, child);
    directory = child;
  }
  directory.set(last, entry);
}

/** Git sorts a directory as though its name ended in a slash. */
function hashDraft(format: string, draft: Draft): Buffer {
  const sorted = [...draft].sort(([left, a], [right, b]) =>
    comparePaths(a instanceof Map ? `${left}/` : left, b instanceof Map ? `${right}/` : right),
  );
  const lines = sorted.map(([name, entry]) => {
    const { mode, oid } = entry instanceof Map ? { mode: "40000", oid: hashDraft(format, entry) } : entry;
    return Buffer.concat([Buffer.from(`${mode} `), encodePath(name), Buffer.from("\0"), oid]);
  });
  return hashObject(format, "tree", Buffer.concat(lines));
}

function hashObject(format: string, type: string, content: Uint8Array): Buffer {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest();
}

/** The attributes of each path that are set, of those that matter. */
async function readAttributes(place: GitPlace, paths: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (paths.length === 0) return found;
  const args = ["check-attr", "-z", "--stdin", ...CONVERTING, ...LINE_ENDING];
  const answer = await runGit(place, { args, input: listPaths(paths) });
  if (answer.status !== 0) throw gitFailedError(place.workspace, "check-attr", answer);
  const fields = decodePath(answer.stdout).split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name = "", value = ""] = fields.slice(at, at + 3);
    if (PLAIN.has(value)) continue;
    const plain = path.slice("./".length);
    found.set(plain, [...(found.get(plain) ?? []), name]);
  }
  return found;
}

async function readSetting(place: GitPlace, name: string): Promise<string> {
  const { stdout } = await runGit(place, { args: ["config", "--get", name] });
  return stdout.toString().trim();
}

async function readIndex(place: GitPlace): Promise<{ path: string; mode: string; oid: string }[]> {
  const answer = await runGit(place, { args: ["ls-files", "--stage", "-z"] });
  if (answer.status !== 0) throw gitFailedError(place.workspace, "ls-files", answer);
  return decodePath(answer.stdout)
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const [mode = "", oid = ""] = line.split(/[ \t]/);
      return { mode, oid, path: line.slice(line.indexOf("\t") + 1) };
    });
}
