import { hash } from "node:crypto";
import type { LayerEntry } from "@drydock/protocol";
import { formatGitName, formatGitRename, formatGitSection, type GitSide, quoteGitPath } from "./git-patch.ts";
import { findRenames } from "./layer-changes.ts";
import { encodePath } from "./path-bytes.ts";

export interface LayerContent {
  /** The workspace's file as it is now; null where there is none (`createBaseReader`). */
  readBase(path: string): Promise<Buffer | null>;
  readBlob(sha256: string): Promise<Buffer>;
  /** Paths that the policy hides: their content before the run is never shown. */
  isHidden(path: string): boolean;
}

/** Nobody reads more of one file, or of all of them. Node reads no file of 2 GiB, and makes no text of half of that. */
export const MAX_COMPARED_BYTES = 64 * 1024 * 1024;

/**
 * The layer as a patch that `git apply` takes. Files whose content is no text, or too much, are only named ("Binary files differ").
 * What git's format can't say (directories, permission bits other than the owner's x, a base that has changed since)
 * stands in `#` lines at the top, which git skips.
 */
export async function diffLayer(layer: { entries: readonly LayerEntry[] }, content: LayerContent): Promise<string> {
  const renames = findRenames(layer);
  const renamed = new Set(renames.values());
  const deleted = new Map(layer.entries.filter(({ kind }) => kind === "deleted").map((entry) => [entry.path, entry]));
  const notes: string[] = [];
  const sections: string[] = [];
  let room = MAX_COMPARED_BYTES;
  for (const entry of layer.entries) {
    if (entry.kind === "deleted" && renamed.has(entry.path)) continue;
    const source = deleted.get(renames.get(entry.path) ?? "");
    notes.push(...describeBeyondGit(entry, source ?? entry));
    if (source) {
      sections.push(
        formatGitRename(source.path, entry.path, gitMode("file", source.mode), gitMode("file", entry.mode)),
      );
      continue;
    }
    if (entry.kind !== "deleted" && entry.type === "file" && (entry.size ?? 0) > room) {
      const { path, kind, mode, size } = entry;
      notes.push(`${quoteGitPath(path)} has ${size} bytes: too much to be shown`);
      sections.push(formatGitName(path, kind === "added" ? null : "before", gitMode("file", mode)));
      continue;
    }
    const before = await readBefore(entry, content, notes);
    const after = await readAfter(entry, content);
    if (!before && !after) continue;
    const shown = sections.length;
    if (before && after && isLink(before) !== isLink(after)) {
      sections.push(formatGitSection(before, undefined), formatGitSection(undefined, after));
    } else if (!before || !after || before.mode !== after.mode || !before.content.equals(after.content)) {
      sections.push(formatGitSection(before, after));
    }
    for (const section of sections.slice(shown)) room -= section.length;
  }
  return [...notes.map((note) => `# ${note}\n`), ...sections].join("");
}

function isLink(side: GitSide): boolean {
  return side.mode === "120000";
}

function gitMode(type: LayerEntry["type"], mode: number): string {
  if (type === "symlink") return "120000";
  return mode & 0o100 ? "100755" : "100644";
}

async function readBefore(entry: LayerEntry, content: LayerContent, notes: string[]): Promise<GitSide | undefined> {
  const { path, wasType, wasMode = 0o644, wasTarget = "", wasSha256 } = entry;
  if (wasType === undefined || wasType === "directory") return undefined;
  if (content.isHidden(path)) {
    notes.push(`${quoteGitPath(path)} is hidden by the policy: what it was before is not shown`);
    return undefined;
  }
  const mode = gitMode(wasType, wasMode);
  if (wasType === "symlink") return { path, mode, content: encodePath(wasTarget) };
  const bytes = await content.readBase(path);
  if (!bytes) notes.push(`${quoteGitPath(path)} can't be read in the workspace any more, or is too large`);
  else if (wasSha256 !== undefined && hash("sha256", bytes) !== wasSha256) {
    notes.push(`${quoteGitPath(path)} has changed in the workspace since the run; compared with what is there now`);
  }
  return bytes ? { path, mode, content: bytes } : undefined;
}

async function readAfter(entry: LayerEntry, content: LayerContent): Promise<GitSide | undefined> {
  const { path, kind, type, mode, target = "", sha256 } = entry;
  if (kind === "deleted" || type === "directory") return undefined;
  if (type === "symlink") return { path, mode: gitMode(type, mode), content: encodePath(target) };
  return sha256 === undefined
    ? undefined
    : { path, mode: gitMode(type, mode), content: await content.readBlob(sha256) };
}

function describeBeyondGit(entry: LayerEntry, before: LayerEntry): string[] {
  const { kind, type, mode } = entry;
  const path = quoteGitPath(entry.path);
  if (kind === "deleted") return type === "directory" ? [`directory deleted: ${path}`] : [];
  if (kind === "added" && type === "directory") return [`directory added (${octal(mode)}): ${path}`];
  if (type === "symlink") return [];
  if (before.wasType === type && before.wasMode !== undefined) {
    const byGit = mode & 0o100 ? before.wasMode | 0o111 : before.wasMode & ~0o111;
    const beyond = before.wasMode !== mode && (type === "directory" || byGit !== mode);
    return beyond ? [`mode ${octal(before.wasMode)} -> ${octal(mode)}: ${path}`] : [];
  }
  if (type === "directory") return [`directory added (${octal(mode)}): ${path}`];
  return mode === 0o644 || mode === 0o755 ? [] : [`mode ${octal(mode)}: ${path}`];
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
