import { hash } from "node:crypto";
import { Layer, type RecordEntry, type RunRecord } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";

const NAMED = 5;

type Entry = Pick<RecordEntry, "type" | "mode" | "sha256" | "target">;

/** The paths of a directory that differ from the judged tree: from the record, else from the files themselves. */
export function describeDifference(tree: WorkTree, record: RunRecord | null, receipt: Uint8Array): string {
  const own = findContent(tree, hash("sha256", receipt, "hex"));
  const inside = own === null ? "" : ` The receipt itself lies in it, as ${own}: keep it elsewhere.`;
  const judged = record && readJudgedEntries(record);
  if (!judged) {
    const hint = own === null ? "Look for files that were written after the run, such as the receipt or a key." : "";
    return `${hint}${inside}`.trim();
  }
  const paths = new Set(tree.paths());
  const added = [...paths].filter((path) => !judged.has(path));
  const removed = [...judged.keys()].filter((path) => !paths.has(path));
  const changed = [...paths].filter((path) => {
    const [was, is] = [judged.get(path), tree.lookup(path)];
    return was !== undefined && (!is || !isSame(was, is));
  });
  const parts = [listSome("added", added), listSome("changed", changed), listSome("removed", removed)].filter(Boolean);
  return `It differs in these paths: ${parts.join("; ")}.${inside}`;
}

function findContent(tree: WorkTree, sha256: string): string | null {
  return tree.paths().find((path) => tree.lookup(path)?.sha256 === sha256) ?? null;
}

/** What the run began with, with the changes of its result on it. Null where the record does not hold that. */
function readJudgedEntries({ run, events, contents, base }: RunRecord): Map<string, Entry> | null {
  if (!base) return null;
  const entries = new Map<string, Entry>(base.entries.map(({ path, ...entry }) => [path, entry]));
  if (run.treeHash === base.treeHash) return entries;
  const final = events.findLast(({ type, data }) => type === "layer.captured" && data.final === true);
  const content = contents[String(final?.data.layer)];
  if (content === undefined) return null;
  const layer = Layer.safeParse(JSON.parse(Buffer.from(content, "base64").toString())).data;
  if (!layer || layer.baseHash !== base.treeHash) return null;
  for (const entry of layer.entries) {
    if (entry.kind === "deleted") entries.delete(entry.path);
    else entries.set(entry.path, entry);
  }
  return entries;
}

function isSame(was: Entry, is: Entry): boolean {
  return (
    was.type === is.type &&
    was.sha256 === is.sha256 &&
    was.target === is.target &&
    (was.mode & 0o777) === (is.mode & 0o777)
  );
}

function listSome(word: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const rest = paths.length - NAMED;
  return `${word} ${paths.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
