import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { archiveKindOf } from "../../../extensions/index.ts";
import { PLUGIN_FILE } from "./read-plugin.ts";

export type PluginSource =
  | { kind: "directory"; path: string }
  | { kind: "archive"; path: string; format: NonNullable<ReturnType<typeof archiveKindOf>> };

const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const HINT =
  "Give the directory of a plugin, a .tgz, .tar.gz, .tar or .zip file, or the name of an npm package that is installed here.";

/** A path on this machine, or else an npm package in a `node_modules` of this directory or of one above. Nothing is downloaded. */
export async function findPluginSource(text: string, from = process.cwd()): Promise<PluginSource> {
  const path = resolve(from, text);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return { kind: "directory", path };
  if (found?.isFile()) {
    const format = archiveKindOf(path);
    if (format) return { kind: "archive", path, format };
    throw new DrydockError("input.invalid", `${text} is not an archive.`, HINT, { source: text });
  }
  const inPackages = PACKAGE_NAME.test(text) ? await findPackage(text, from) : null;
  if (inPackages) return { kind: "directory", path: inPackages };
  throw new DrydockError("input.invalid", `There is no ${text}.`, HINT, { source: text });
}

async function findPackage(name: string, from: string): Promise<string | null> {
  for (let directory = from; ; directory = dirname(directory)) {
    const path = join(directory, "node_modules", name);
    // A package of a workspace is a link to its own directory.
    if (await stat(join(path, PLUGIN_FILE)).catch(() => null)) return realpath(path);
    if (directory === dirname(directory)) return null;
  }
}
