import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { distDir, productDir, root, sdkDir } from "./paths.mjs";

const SOURCES = [
  "packages/drydock/src",
  "packages/drydock/package.json",
  "packages/protocol/src",
  "packages/client/src",
  "packages/web/src",
  "packages/web/public",
  "packages/web/index.html",
  "packages/web/package.json",
  "packages/runner-sdk/src",
  "packages/runner-sdk/python",
  "packages/runner-sdk/package.json",
  "extensions",
  "runners",
  "package-lock.json",
  "tsconfig.build.json",
  "LICENSE",
  "scripts/build.mjs",
  "scripts/build-runner-sdk.mjs",
  "scripts/build-runners.mjs",
  "scripts/build-console.mjs",
  "scripts/build-webchat.mjs",
  "scripts/bundle-plugins.mjs",
  "scripts/declarations.mjs",
  "scripts/licences.mjs",
];

/** The build is current if nothing it was made of, directories included (a file may have gone), is newer than its end. */
export function buildIsCurrent() {
  const builtAt = changedAt(join(distDir, "THIRD_PARTY_LICENSES"));
  const parts = [join(productDir, "LICENSE"), join(sdkDir, "dist", "index.js")];
  if (builtAt === 0 || parts.some((path) => changedAt(path) === 0)) return false;
  return SOURCES.every((path) => newest(join(root, path)) <= builtAt);
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path)
    .filter((name) => name !== "__pycache__" && !/\.test\.tsx?$/.test(name))
    .reduce((latest, name) => Math.max(latest, newest(join(path, name))), stats.mtimeMs);
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
