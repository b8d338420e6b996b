import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { type AutorunFile, type Change, DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import type { PathRules } from "../../../policy/index.ts";
import { encodePath } from "../../../sandbox/index.ts";
import { checkLayer, checkResult } from "../check-layer.ts";
import type { AutorunConsent, LayerContents } from "../deliver-layer.ts";
import { openDeliveryTarget } from "../delivery-target.ts";
import type { Conflict } from "../plan-delivery.ts";
import { findAutorun } from "../traps/find-autorun.ts";
import { createResultTree, viewTarget } from "../traps/tree-view.ts";
import { findIgnored } from "./find-ignored.ts";
import { createHeadView } from "./head-view.ts";
import { checkBranchName, type GitHead, gitMode, isAsInHead, readBranch, readHead } from "./read-head.ts";
import { askGit, type GitPlace, gitFailedError, runGit } from "./run-git.ts";

export interface CommitOptions extends GitPlace {
  layer: Layer;
  branch: string;
  contents: Pick<LayerContents, "read" | "readBase">;
  rules: PathRules;
  autorun?: AutorunConsent;
  /** Stands in the commit; the same layer with the same id and date on the same HEAD is the same commit. */
  id: string;
  date: Date;
  message: string;
  /** Commits files that the repository ignores, too. Default false. */
  includeIgnored?: boolean;
  signal?: AbortSignal;
}

export type CommitOutcome =
  | { kind: "committed"; commit: string; changes: Change[]; ignored: string[]; autorun: string[] }
  | { kind: "conflict"; files: Conflict[] }
  | { kind: "autorun"; files: AutorunFile[] }
  | { kind: "nothing"; ignored: string[] };

const IDENTITY = "Drydock <drydock@localhost>";

/** A layer as a commit on top of HEAD, on a new branch. Neither the working tree nor the index is touched. */
export async function commitLayer(options: CommitOptions): Promise<CommitOutcome> {
  const { layer, branch, rules, id, contents, autorun: { isAllowed = false, hookDirectories = [] } = {} } = options;
  checkLayer(layer, rules);
  await checkBranchName(options, branch);
  const head = await readHead(options);
  const { entries, ignored, conflicts } = await chooseEntries(options, head);
  if (conflicts.length > 0) return { kind: "conflict", files: conflicts };
  if (entries.length === 0) return { kind: "nothing", ignored };
  const tree = createResultTree(createHeadView(options, head), entries);
  await checkResult(tree, entries);
  await checkCheckedOut(options.workspace, entries);
  const files = await findAutorun(entries, { tree, contents, hookDirectories });
  if (files.length > 0 && !isAllowed) return { kind: "autorun", files };
  const aside = `refs/drydock/${id}`;
  const input = Readable.from(describeCommit(options, head, entries, aside), { objectMode: false });
  const imported = await runGit(options, {
    args: ["fast-import", "--quiet", "--force", "--done"],
    input,
    signal: options.signal,
  });
  if (imported.status !== 0) throw gitFailedError(options.workspace, "fast-import", imported);
  const commit = await askGit(options, "rev-parse", "--verify", aside);
  await nameCommit(options, commit, aside);
  const changes = entries.map(({ path, kind }): Change => ({ path, kind }));
  return { kind: "committed", commit, changes, ignored, autorun: files.map(({ path }) => path) };
}

/** A checkout of the branch has its files together with the untracked files of the workspace: both are checked. */
async function checkCheckedOut(workspace: string, entries: readonly LayerEntry[]): Promise<void> {
  const target = await openDeliveryTarget(workspace);
  try {
    await checkResult(createResultTree(viewTarget(target), entries), entries);
  } finally {
    await target.close();
  }
}

/** Gives the commit its branch, and takes away the name under which it was made. */
async function nameCommit(options: CommitOptions, commit: string, aside: string): Promise<void> {
  const { branch } = options;
  const existing = await readBranch(options, branch);
  const forget = `delete ${aside} ${commit}\n`;
  const create = existing === commit ? "" : `create refs/heads/${branch} ${commit}\n`;
  const refused = existing !== null && existing !== commit;
  const input = Readable.from([refused ? forget : `${create}${forget}`], { objectMode: false });
  const named = await runGit(options, { args: ["update-ref", "--stdin"], input });
  if (refused) {
    throw new DrydockError(
      "delivery.conflict",
      `There is a branch ${branch} already.`,
      "Give another name, or delete the branch. Nothing was changed.",
      { branch, commit: existing },
    );
  }
  if (named.status !== 0) throw gitFailedError(options.workspace, "update-ref", named);
}

/** What of the layer git can hold, and what stands in the way. */
async function chooseEntries(
  options: CommitOptions,
  head: GitHead,
): Promise<{ entries: LayerEntry[]; ignored: string[]; conflicts: Conflict[] }> {
  const { layer } = options;
  const files = layer.entries.filter(
    ({ type, wasType }) => type !== "directory" || (wasType && wasType !== "directory"),
  );
  const unknown = files.filter(({ path }) => !head.entries.has(head.prefix + path)).map(({ path }) => path);
  const ignored = options.includeIgnored
    ? new Set<string>()
    : await findIgnored(options, unknown, { withIndex: false });
  const conflicts: Conflict[] = [];
  const entries: LayerEntry[] = [];
  for (const entry of files) {
    const { path, kind, wasType } = entry;
    const committed = head.entries.get(head.prefix + path);
    const existed = wasType !== undefined && wasType !== "directory";
    if (ignored.has(path) || (!committed && kind === "deleted")) continue;
    if (!committed && existed) conflicts.push({ path, reason: "is not committed yet" });
    else if (committed && !existed) conflicts.push({ path, reason: "is in HEAD, and was not there for the run" });
    else if (committed && !(await isAsInHead(options, entry, committed))) {
      conflicts.push({ path, reason: "was not as in HEAD when the run began, or HEAD has moved since" });
    } else entries.push(entry);
  }
  return { entries, ignored: [...ignored], conflicts };
}

/** The stream that `git fast-import` reads: what goes first, so that a directory can take a file's place. */
async function* describeCommit(
  { contents, date, message, id }: CommitOptions,
  head: GitHead,
  entries: readonly LayerEntry[],
  aside: string,
): AsyncGenerator<Buffer> {
  const text = Buffer.from(`${message.trim()}\n\nDrydock-Run: ${id}\n`);
  const when = `${Math.floor(date.getTime() / 1000)} +0000`;
  yield Buffer.from(
    `commit ${aside}\nauthor ${IDENTITY} ${when}\ncommitter ${IDENTITY} ${when}\ndata ${text.length}\n`,
  );
  yield text;
  yield Buffer.from(`from ${head.commit}\n`);
  for (const { path, kind, type } of entries) {
    if (kind === "deleted" || type === "directory") yield Buffer.from(`D ${quotePath(head.prefix + path)}\n`);
  }
  for (const { path, kind, type, mode, sha256, target } of entries) {
    if (kind === "deleted" || type === "directory") continue;
    const content = type === "symlink" ? encodePath(target ?? "") : await readContent(contents, path, sha256 ?? "");
    yield Buffer.from(`M ${gitMode(type, mode)} inline ${quotePath(head.prefix + path)}\ndata ${content.length}\n`);
    yield content;
    yield Buffer.from("\n");
  }
  // Without this word, a stream that was cut would be a commit all the same.
  yield Buffer.from("\ndone\n");
}

async function readContent(contents: Pick<LayerContents, "read">, path: string, sha256: string): Promise<Buffer> {
  const content = await contents.read(sha256);
  if (hash("sha256", content) === sha256) return content;
  throw new DrydockError(
    "ledger.unavailable",
    `The stored content of ${path} is damaged: it does not match the record.`,
    "Run it again: its changes can't be delivered any more.",
    { path },
  );
}

/** In git's C-like quotes every byte can stand. */
function quotePath(path: string): string {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;
  const plain = /[A-Za-z0-9_./-]/;
  return `"${[...encodePath(path)].map((byte) => (plain.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : octal(byte))).join("")}"`;
}
