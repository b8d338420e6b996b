import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { waitForFileLock } from "../../../base/locks/index.ts";
import { type OpenLink, type Plugin, programLink, type RunProgram, socketLink } from "../../../host/index.ts";
import type { AgentHost, InstalledPlugin, PluginPlan } from "../api.ts";
import { developPlugin } from "./develop/develop-plugin.ts";
import { createDevelopments } from "./develop/developments.ts";
import { createDiscovery, type DiscoveryPorts } from "./discover-plugins.ts";
import { findPluginSource } from "./find-source.ts";
import { RESERVED_IDS } from "./official-plugins.ts";
import { packPlugin } from "./pack-plugin.ts";
import { listPluginFiles, readPluginManifest } from "./read-plugin.ts";
import { scaffoldPlugin } from "./scaffold/scaffold-plugin.ts";
import { stagePlugin } from "./stage-plugin.ts";

const PATIENCE_MS = 10_000;

export type PluginRegistry = Pick<
  AgentHost["plugins"],
  "check" | "scaffold" | "develop" | "pack" | "add" | "list" | "remove"
> & {
  /** The plugin of this id that can be used; null where there is none. Asked for each event. */
  find(id: string): Promise<InstalledPlugin | null>;
  /** How its process is reached, or started. */
  openLink(plugin: Plugin): OpenLink;
};

export interface RegistryPorts extends Omit<DiscoveryPorts, "developments"> {
  runProgram: RunProgram;
  /** Starts a plugin that is not granted anything, and asks for its runners. */
  look(plugin: InstalledPlugin): Promise<Pick<PluginPlan, "runners" | "warnings">>;
}

/** Installed plugins lie in the home, one directory for each: `plugins/AUTHOR/NAME`. What is there is installed. */
export function createPluginRegistry(ports: RegistryPorts): PluginRegistry {
  const root = join(ports.home, "plugins");
  const developments = createDevelopments(root);
  const { list, find, forget } = createDiscovery({ ...ports, developments });
  const openProgram = (plugin: Pick<Plugin, "command" | "directory" | "sandbox">) =>
    programLink(plugin, ports.runProgram);

  return {
    find,
    list,
    pack: packPlugin,
    scaffold: scaffoldPlugin,
    develop: (directory, options) => developPlugin({ root, developments, openProgram }, directory, options),
    openLink(plugin) {
      const developed = developments.find(plugin.id);
      return developed?.fingerprint === plugin.fingerprint ? socketLink(developed) : openProgram(plugin);
    },
    check: async (directory) => {
      const manifest = await readPluginManifest(resolve(directory));
      await listPluginFiles(resolve(directory));
      return manifest;
    },
    async add(text, { approve, sha256: expected } = {}) {
      const source = await findPluginSource(text);
      await mkdir(root, { recursive: true, mode: 0o700 });
      const staged = join(root, `.staged-${randomBytes(6).toString("hex")}`);
      try {
        const { manifest, sha256 } = await stagePlugin(source, staged);
        if (expected !== undefined && expected.toLowerCase() !== sha256) throw otherHash(text, expected, sha256);
        const id = `${manifest.author}/${manifest.name}`;
        if (RESERVED_IDS.has(id)) throw reservedId(id);
        const plugin: InstalledPlugin = {
          ...{ ...manifest, id, directory: staged, origin: "installed", fingerprint: sha256, problem: null },
        };
        if (approve) {
          const before = await find(id);
          const plan = { plugin, sha256, installed: before?.version ?? null, ...(await ports.look(plugin)) };
          if (!(await approve(plan))) throw notApproved(id);
        }
        const directory = join(root, manifest.author, manifest.name);
        using _lock = await waitForFileLock(join(root, ".lock"), { patienceMs: PATIENCE_MS, refuse: busy });
        await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
        await replaceDirectory(staged, directory);
        forget();
        return { ...plugin, directory };
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
    },
    async remove(id) {
      const all = (await list()).filter((each) => each.id === id);
      const plugin = all.find(({ origin, problem }) => origin === "installed" || problem === null) ?? all[0];
      if (!plugin) throw noPlugin(id);
      if (plugin.origin !== "installed") throw notInstalled(plugin);
      using _lock = await waitForFileLock(join(root, ".lock"), { patienceMs: PATIENCE_MS, refuse: busy });
      await rm(plugin.directory, { recursive: true, force: true });
      forget();
      return plugin;
    },
  };
}

/** The earlier version is moved away first, so that nobody ever reads half of each. */
async function replaceDirectory(fresh: string, directory: string): Promise<void> {
  const stale = `${fresh}-old`;
  const hasOld = await rename(directory, stale).then(
    () => true,
    () => false,
  );
  try {
    await rename(fresh, directory);
  } catch (error) {
    if (hasOld) await rename(stale, directory);
    throw error;
  } finally {
    await rm(stale, { recursive: true, force: true });
  }
}

export function noPlugin(id: string): DrydockError {
  const hint = "`drydock plugin list` shows those that are.";
  return new DrydockError("runner.unavailable", `The plugin ${id} is not installed.`, hint, { plugin: id });
}

function otherHash(source: string, expected: string, sha256: string): DrydockError {
  const message = `${source} has the SHA-256 ${sha256}, and not the expected one. Nothing was installed.`;
  return new DrydockError("input.invalid", message, "Get the archive anew, or ask its author.", { expected, sha256 });
}

function reservedId(id: string): DrydockError {
  const message = `The id ${id} is that of a plugin that comes with Drydock. Nothing was installed.`;
  const hint = "Give the plugin an author and a name of its own in plugin.yaml, and create agents on its runners.";
  return new DrydockError("input.invalid", message, hint, { plugin: id });
}

function notApproved(id: string): DrydockError {
  const message = `The plugin ${id} was not approved. Nothing was installed.`;
  return new DrydockError("policy.approval_denied", message, "Add it again when you agree to what it asks for.", {
    plugin: id,
  });
}

function notInstalled({ id, origin, directory }: InstalledPlugin): DrydockError {
  if (origin === "built-in") {
    const hint = "Nothing runs that no agent uses.";
    return new DrydockError("input.invalid", `The plugin ${id} comes with Drydock.`, hint, { plugin: id });
  }
  const hint =
    origin === "extension"
      ? "It belongs to an extension: `drydock ext remove ID` removes both."
      : "Take it out of that folder, or the folder out of `plugins.folders` in config.yaml.";
  return new DrydockError("input.invalid", `The plugin ${id} is used from ${directory}.`, hint, { plugin: id });
}

function busy(): DrydockError {
  return new DrydockError("input.invalid", "Another process is installing a plugin.", "Try again.");
}
