import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { JudgedEntry, JudgedTree } from "../judged-tree.ts";

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** What is made outside of any test is for all tests of a file. Files share this module: a hook of its own would run for the first only. */
function removeLater(directory: string): void {
  try {
    onTestFinished(() => remove(directory));
  } catch {
    afterAll(() => remove(directory));
  }
}

/** A real directory as a tree. Its layer says where it lies, so that a runner can find it. */
export function readDirectoryTree(directory: string): JudgedTree & Required<Pick<JudgedTree, "edit">> {
  const entries = new Map<string, JudgedEntry>();
  const walk = (prefix: string) => {
    for (const name of readdirSync(join(directory, prefix)).sort()) {
      const path = prefix === "" ? name : `${prefix}/${name}`;
      const stat = lstatSync(join(directory, path));
      const mode = stat.mode & 0o7777;
      if (stat.isDirectory()) {
        entries.set(path, { type: "directory", mode });
        walk(path);
      } else if (stat.isSymbolicLink()) {
        entries.set(path, { type: "symlink", mode: 0o777, target: readlinkSync(join(directory, path)) });
      } else {
        const sha256 = createHash("sha256")
          .update(readFileSync(join(directory, path)))
          .digest("hex");
        entries.set(path, { type: "file", mode, size: stat.size, sha256 });
      }
    }
  };
  walk("");
  const treeHash = createHash("sha256")
    .update(JSON.stringify([...entries]))
    .digest("hex");
  return {
    treeHash,
    layer: {
      version: 1,
      workspace: directory,
      baseHash: treeHash,
      treeHash,
      entries: [],
      changedUnderneath: [],
      denied: [],
    },
    lookup: (path) => entries.get(path),
    read: async (path) => (entries.get(path)?.type === "file" ? readFileSync(join(directory, path)) : null),
    paths: (prefix = "") => [...entries.keys()].filter((path) => prefix === "" || path.startsWith(`${prefix}/`)),
    edit: async (edits) => {
      const copy = makeDirectory({});
      cpSync(directory, copy, { recursive: true, verbatimSymlinks: true });
      for (const edit of edits) {
        rmSync(join(copy, edit.path), { force: true });
        if ("delete" in edit) continue;
        mkdirSync(dirname(join(copy, edit.path)), { recursive: true });
        writeFileSync(join(copy, edit.path), edit.content);
      }
      return readDirectoryTree(copy);
    },
  };
}

/** Makes a directory with these files; a value that is a list is a symlink to its one element. */
export function makeDirectory(files: Record<string, string | Uint8Array | [target: string]>): string {
  const directory = mkdtempSync(join(tmpdir(), "drydock-verify-"));
  removeLater(directory);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    if (Array.isArray(content)) symlinkSync(content[0], join(directory, path));
    else writeFileSync(join(directory, path), content);
  }
  return directory;
}

export function makeTree(files: Parameters<typeof makeDirectory>[0]): JudgedTree {
  return readDirectoryTree(makeDirectory(files));
}
