import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { PluginManifest } from "@drydock/protocol/runner";
import { parseYaml, readYamlText } from "../../../base/yaml-files/index.ts";

export const PLUGIN_FILE = "plugin.yaml";
const MAX_MANIFEST_BYTES = 64 * 1024;
const MAX_FILES = 5000;
const MAX_BYTES = 64 * 1024 * 1024;

/** What belongs to a checkout, and the SDK: the host puts its own version beside each plugin. */
const LEFT_OUT =
  /(^|\/)(\.git|\.hg|\.svn|\.DS_Store|__pycache__|\.pytest_cache)(\/|$)|(^|\/)node_modules\/(\.bin|\.cache|\.package-lock\.json|@drydock\/runner-sdk)(\/|$)|^drydock_runner(\/|$)/;

export function isLeftOut(path: string): boolean {
  return LEFT_OUT.test(path);
}

/** `shown`: what messages call the directory, where it is a copy. */
export async function readPluginManifest(directory: string, shown = directory): Promise<PluginManifest> {
  const file = join(shown, PLUGIN_FILE);
  const text = await readYamlText(join(directory, PLUGIN_FILE), {
    what: "manifest of a plugin",
    maxBytes: MAX_MANIFEST_BYTES,
  });
  if (text !== null)
    return parseYaml(file, text, PluginManifest, { author: "acme", name: "greeter", version: "1.0.0" });
  throw new DrydockError(
    "input.invalid",
    `${shown} is not a plugin: it has no ${PLUGIN_FILE}.`,
    "Give the directory of a plugin. `drydock plugin new AUTHOR/NAME` creates one.",
    { directory: shown },
  );
}

/** The files of a plugin, sorted. Links and special files are refused: what is installed must be what was looked at. */
export async function listPluginFiles(directory: string): Promise<string[]> {
  const files: string[] = [];
  let bytes = 0;
  const walk = async (below: string): Promise<void> => {
    for (const name of (await readdir(join(directory, below))).sort()) {
      const path = below === "" ? name : `${below}/${name}`;
      if (isLeftOut(path)) continue;
      const found = await lstat(join(directory, path));
      if (found.isDirectory()) await walk(path);
      else if (!found.isFile()) throw refuse(path, "it is a link or a special file");
      else {
        files.push(path);
        bytes += found.size;
      }
      if (files.length > MAX_FILES) throw refuse(path, `a plugin has at most ${MAX_FILES} files`);
      if (bytes > MAX_BYTES) throw refuse(path, `a plugin has at most ${MAX_BYTES / 1024 / 1024} MB`);
    }
  };
  await walk("");
  return files.sort();
}

function refuse(path: string, reason: string): DrydockError {
  const hint = "Take it out of the plugin's directory, or bundle the plugin into one file.";
  return new DrydockError("input.invalid", `The plugin can't be installed: ${path}: ${reason}.`, hint, { path });
}
