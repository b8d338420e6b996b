import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const productDir = join(root, "packages", "drydock");
export const distDir = join(productDir, "dist");
export const sdkDir = join(root, "packages", "runner-sdk");
export const modulesDir = join(root, "node_modules");

/** The pinned Node of this tree; the Node that runs us where none exists for this machine and ours is new enough. */
export function pinnedNode() {
  const pinned = join(modulesDir, `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(pinned)) return pinned;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? process.execPath : undefined;
}

/** The environment for whatever runs after setup: the pinned Node and the tree's own tools come first. */
export function toolEnvironment() {
  return { ...process.env, PATH: [join(modulesDir, ".bin"), process.env.PATH ?? ""].join(delimiter) };
}
