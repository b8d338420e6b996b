import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { waitForFileLock } from "../../base/locks/index.ts";
import type { AgentHost, InstalledPlugin } from "./api.ts";
import { listPluginFiles, readPluginManifest } from "./read-plugin.ts";
import { placeRunnerSdk } from "./runner-sdk.ts";

const PATIENCE_MS = 10_000;
const HIDDEN = ".";

type Registry = Pick<AgentHost["plugins"], "check" | "add" | "list" | "remove">;

/** Plugins lie in the home, one directory for each: `plugins/AUTHOR/NAME`. What is there is installed. */
export function createPluginRegistry(home: string): Registry {
  const root = join(home, "plugins");

  const list = async (): Promise<InstalledPlugin[]> => {
    const found: InstalledPlugin[] = [];
    for (const author of await names(root))
      for (const name of await names(join(root, author)))
        found.push(await readInstalled(join(root, author, name), author, name));
    return found;
  };

  const requirePlugin = async (id: string) => {
    const found = (await list()).find((plugin) => plugin.id === id);
    if (found) return found;
    const hint = "`drydock plugin list` shows those that are.";
    throw new DrydockError("runner.unavailable", `The plugin ${id} is not installed.`, hint, { plugin: id });
  };

  return {
    check: async (directory) => {
      const manifest = await readPluginManifest(resolve(directory));
      await listPluginFiles(resolve(directory));
      return manifest;
    },
    async add(directory) {
      const source = resolve(directory);
      const manifest = await readPluginManifest(source);
      const files = await listPluginFiles(source);
      await mkdir(root, { recursive: true, mode: 0o700 });
      using _lock = await waitForFileLock(join(root, `${HIDDEN}lock`), { patienceMs: PATIENCE_MS, refuse: busy });
      const staged = join(root, `${HIDDEN}staged-${randomBytes(6).toString("hex")}`);
      const target = join(root, manifest.author, manifest.name);
      try {
        for (const file of files) {
          await mkdir(dirname(join(staged, file)), { recursive: true });
          await copyFile(join(source, file), join(staged, file));
        }
        await placeRunnerSdk(staged, manifest.runtime);
        // What was copied is what is used: it is read again, in case that the source has changed meanwhile.
        await readPluginManifest(staged);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rm(target, { recursive: true, force: true });
        await rename(staged, target);
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
      return { ...manifest, id: `${manifest.author}/${manifest.name}`, directory: target, problem: null };
    },
    list,
    async remove(id) {
      const plugin = await requirePlugin(id);
      await rm(plugin.directory, { recursive: true, force: true });
      return plugin;
    },
  };
}

async function readInstalled(directory: string, author: string, name: string): Promise<InstalledPlugin> {
  const id = `${author}/${name}`;
  try {
    const manifest = await readPluginManifest(directory);
    const isOwn = manifest.author === author && manifest.name === name;
    return {
      ...manifest,
      id,
      directory,
      problem: isOwn ? null : `plugin.yaml names ${manifest.author}/${manifest.name}`,
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const none = {
      version: "0.0.0",
      runtime: "node",
      command: ["node", "-"],
      sandbox: { hosts: [], environment: [] },
    } as const;
    return {
      author,
      name,
      ...none,
      command: [...none.command],
      sandbox: { hosts: [], environment: [] },
      id,
      directory,
      problem,
    };
  }
}

async function names(directory: string): Promise<string[]> {
  const found = await readdir(directory).catch(() => []);
  const directories: string[] = [];
  for (const name of found.sort()) {
    if (name.startsWith(HIDDEN)) continue;
    if ((await stat(join(directory, name)).catch(() => null))?.isDirectory()) directories.push(name);
  }
  return directories;
}

function busy(): DrydockError {
  return new DrydockError("input.invalid", "Another process is installing a plugin.", "Try again.");
}
