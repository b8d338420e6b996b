import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Layer } from "@drydock/protocol";
import { expect } from "vitest";
import { buildLayer, type LayerRules, type RawChange } from "../build-layer.ts";
import type { Snapshot } from "../snapshot.ts";
import { createWorkspaceIndex } from "../workspace-index.ts";
import { makeDirectory, makeWorkspace, sha256 } from "./layers.ts";

const ALLOW_ALL: LayerRules = { hidden: () => false, protectedPath: () => false, writable: () => true };
export const DIRECTORY = { type: "directory", mode: 0o755 } as const;

export async function takeSnapshot(directory: string): Promise<Snapshot> {
  const index = createWorkspaceIndex(directory, { watch: false });
  const snapshot = await index.refresh();
  await index.close();
  return snapshot;
}

export function file(path: string, content: string, mode = 0o644): RawChange {
  return { path, type: "file", mode, size: content.length, sha256: sha256(content) };
}

export function build(
  snapshot: Snapshot,
  raw: RawChange[],
  rules: Partial<LayerRules> = {},
  workspace: string | null = "/w",
) {
  const layer = buildLayer({
    snapshot,
    raw,
    workspace,
    rules: { ...ALLOW_ALL, ...rules },
    changedUnderneath: [],
  });
  expect(Layer.parse(layer)).toEqual(layer);
  return layer;
}

/** src/{a.txt,b.txt,deep/c.txt}, link -> src/a.txt, empty/ */
export async function makeSample() {
  const workspace = makeWorkspace();
  for (const path of ["src", "src/deep", "empty"]) makeDirectory(join(workspace, path));
  for (const path of ["src/a.txt", "src/b.txt", "src/deep/c.txt"]) {
    writeFileSync(join(workspace, path), path);
    chmodSync(join(workspace, path), 0o644);
  }
  symlinkSync("src/a.txt", join(workspace, "link"));
  return takeSnapshot(workspace);
}

export const brief = (layer: Layer) => layer.entries.map(({ kind, path, type }) => `${kind} ${type} ${path}`);
