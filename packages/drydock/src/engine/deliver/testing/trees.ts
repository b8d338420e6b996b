/** Directories made, read and compared in tests of deliveries. */
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { onTestFinished } from "vitest";
import type { LayerContents } from "../deliver-layer.ts";

/** Content, or content and mode, or a symlink's target; a path that ends in / is a directory. */
export type Picture = Record<string, string | { text: string; mode: number } | { link: string } | { mode: number }>;

/** Where waiting for the disk costs nothing; elsewhere where there is no such place. */
export const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export function makeDirectory(place = tmpdir()): string {
  const path = realpathSync(mkdtempSync(join(place, "drydock-deliver-")));
  onTestFinished(() => {
    // What a test closed must not outlast it.
    for (const each of listTree(path)) if (each.type === "directory") chmodSync(join(path, each.path), 0o700);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

export function paint(root: string, picture: Picture): void {
  const directories: [string, number][] = [];
  for (const [path, what] of Object.entries(picture)) {
    const full = join(root, path);
    mkdirSync(path.endsWith("/") ? full : dirname(full), { recursive: true, mode: 0o755 });
    if (path.endsWith("/")) {
      directories.push([full, typeof what === "object" && "mode" in what ? what.mode : 0o755]);
    } else if (typeof what === "object" && "link" in what) {
      symlinkSync(what.link, full);
    } else {
      const { text, mode } = typeof what === "string" ? { text: what, mode: 0o644 } : { text: "", ...what };
      writeFileSync(full, text);
      chmodSync(full, mode);
    }
  }
  for (const [full, mode] of directories.reverse()) chmodSync(full, mode);
}

type Node = Pick<LayerEntry, "path" | "type" | "mode" | "sha256" | "target" | "size">;

function listTree(root: string, below = ""): Node[] {
  return readdirSync(join(root, below)).flatMap((name) => {
    const path = below === "" ? name : `${below}/${name}`;
    const full = join(root, path);
    const stat = lstatSync(full);
    const mode = stat.mode & 0o7777;
    if (stat.isSymbolicLink()) return [{ path, type: "symlink" as const, mode: 0o777, target: readlinkSync(full) }];
    if (stat.isDirectory()) return [{ path, type: "directory" as const, mode }, ...listTree(root, path)];
    const bytes = readFileSync(full);
    return [{ path, type: "file" as const, mode, sha256: hash("sha256", bytes), size: bytes.length }];
  });
}

/** Everything that can be told of a directory, temporary files included. */
export function readTree(root: string): string[] {
  return listTree(root)
    .map(({ path, type, mode, sha256, target }) => `${path} ${type} ${mode.toString(8)} ${sha256 ?? target ?? ""}`)
    .sort();
}

export function hashTree(root: string): string {
  return hash("sha256", readTree(root).join("\n"));
}

/** The layer that turns one directory into the other; all contents of both go into the store. */
export function makeLayer(before: string, after: string, store: string): Layer {
  const was = new Map(listTree(before).map((node) => [node.path, node]));
  const is = new Map(listTree(after).map((node) => [node.path, node]));
  for (const [root, nodes] of [
    [before, was],
    [after, is],
  ] as const) {
    for (const { path, sha256 } of nodes.values()) {
      if (sha256) writeFileSync(join(store, sha256), readFileSync(join(root, path)));
    }
  }
  const entries: LayerEntry[] = [];
  for (const path of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const [old, fresh] = [was.get(path), is.get(path)];
    if (old && fresh && JSON.stringify(old) === JSON.stringify(fresh)) continue;
    const described = old && { wasType: old.type, wasMode: old.mode, wasSha256: old.sha256, wasTarget: old.target };
    if (fresh) entries.push({ ...fresh, kind: old ? "changed" : "added", ...described });
    else if (old) entries.push({ ...old, kind: "deleted", ...described });
  }
  const hashes = { baseHash: hashTree(before), treeHash: hashTree(after) };
  return { version: 1, workspace: before, ...hashes, entries, changedUnderneath: [], denied: [] };
}

export function openStore(store: string): LayerContents {
  const read = async (sha256: string) => readFileSync(join(store, sha256));
  return { path: async (sha256) => join(store, sha256), read, readBase: (sha256) => read(sha256).catch(() => null) };
}
