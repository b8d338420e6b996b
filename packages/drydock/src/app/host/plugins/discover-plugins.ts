import { createHash, randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { lstat, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { InstalledPlugin } from "../api.ts";
import { type Developments, toPlugin } from "./develop/developments.ts";
import { OFFICIAL_PLUGINS, RESERVED_IDS } from "./official-plugins.ts";
import { listPluginFiles, PLUGIN_FILE, readPluginManifest } from "./read-plugin.ts";
import { stagePlugin } from "./stage-plugin.ts";

export interface DiscoveryPorts {
  home: string;
  /** Folders that the owner's settings name. */
  folders(): Promise<readonly string[]>;
  /** Directories of the extensions that are enabled. */
  extensions(): Promise<readonly string[]>;
  developments: Pick<Developments, "find" | "list">;
}

type Origin = InstalledPlugin["origin"];

export interface Discovery {
  /** All plugins, those with a problem included. One of them never hides another. */
  list(): Promise<InstalledPlugin[]>;
  /** The one of this id that can be used. Asked for each event: an installed one costs one look at its manifest. */
  find(id: string): Promise<InstalledPlugin | null>;
  forget(): void;
}

const FOUND_FOR_MS = 2000;
const STALE_MS = 24 * 3600 * 1000;
const ID = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/;

export function createDiscovery({ home, folders, extensions, developments }: DiscoveryPorts): Discovery {
  const root = join(home, "plugins");
  const known = new Map<string, InstalledPlugin>();
  let found: { plugins: Promise<InstalledPlugin[]>; untilMs: number } | null = null;

  /** An installed plugin never changes where it lies: a new version is another file. */
  const readInstalled = async (author: string, name: string): Promise<InstalledPlugin | null> => {
    const directory = join(root, author, name);
    const file = statSync(join(directory, PLUGIN_FILE), { throwIfNoEntry: false });
    if (!file) return (await stat(directory).catch(() => null)) ? readPlugin(directory, "installed", "") : null;
    const fingerprint = `${file.ino}-${file.mtimeMs}-${file.size}`;
    const key = `${author}/${name}`;
    const before = known.get(key);
    if (before?.fingerprint === fingerprint) return before;
    const read = await readPlugin(directory, "installed", fingerprint);
    const own = read.problem !== null || read.id === key ? read : { ...read, id: key, problem: otherName(read.id) };
    known.set(key, own);
    return own;
  };

  const listInstalled = async (): Promise<InstalledPlugin[]> => {
    const plugins: InstalledPlugin[] = [];
    for (const author of await namesIn(root))
      for (const name of await namesIn(join(root, author))) {
        const plugin = await readInstalled(author, name);
        if (plugin) plugins.push(plugin);
      }
    return plugins;
  };

  const listFound = async (): Promise<InstalledPlugin[]> => {
    const places: [string, Origin][] = [];
    for (const folder of await folders()) places.push(...(await searchFolder(folder)));
    for (const directory of await extensions()) if (await hasManifest(directory)) places.push([directory, "extension"]);
    places.push(...OFFICIAL_PLUGINS.map((directory): [string, Origin] => [directory, "built-in"]));
    return Promise.all(places.map(([directory, origin]) => prepareFound(root, directory, origin)));
  };

  const others = (): Promise<InstalledPlugin[]> => {
    if (found && performance.now() < found.untilMs) return found.plugins;
    const plugins = listFound();
    found = { plugins, untilMs: performance.now() + FOUND_FOR_MS };
    plugins.catch(() => {
      found = null;
    });
    return plugins;
  };

  const list = async () => {
    const developed = developments.list().map(toPlugin);
    return hideDoubles([...developed, ...(await listInstalled()), ...(await others())]);
  };

  return {
    list,
    async find(id) {
      const [, author, name] = ID.exec(id) ?? [];
      const developed = author ? developments.find(id) : null;
      if (developed) return toPlugin(developed);
      const mayBeInstalled = author && name && !RESERVED_IDS.has(id);
      const installed = mayBeInstalled ? await readInstalled(author, name) : null;
      if (installed) return installed.problem === null ? installed : null;
      return hideDoubles(await others()).find((plugin) => plugin.id === id && plugin.problem === null) ?? null;
    },
    forget() {
      found = null;
      known.clear();
    },
  };
}

/** A folder is a plugin, or holds plugins, or has npm packages that are plugins. */
async function searchFolder(folder: string): Promise<[string, Origin][]> {
  if (await hasManifest(folder)) return [[folder, "folder"]];
  const places: [string, Origin][] = [];
  for (const name of await namesIn(folder))
    if (await hasManifest(join(folder, name))) places.push([join(folder, name), "folder"]);
  const packages = join(folder, "node_modules");
  for (const name of await namesIn(packages)) {
    const scoped = name.startsWith("@")
      ? (await namesIn(join(packages, name))).map((each) => `${name}/${each}`)
      : [name];
    for (const each of scoped)
      if (await hasManifest(join(packages, each))) places.push([join(packages, each), "package"]);
  }
  return places;
}

/** What is found elsewhere is copied before it is used: the copy has the SDK beside it, and does not change in the middle of a run. */
async function prepareFound(root: string, source: string, origin: Origin): Promise<InstalledPlugin> {
  const plugin = await readPlugin(source, origin, "");
  if (plugin.problem !== null) return plugin;
  try {
    const fingerprint = await fingerprintOf(source);
    const directory = join(root, ".found", `${plugin.author}@${plugin.name}.${fingerprint}`);
    if (!(await hasManifest(directory))) {
      const staged = `${directory}-${process.pid}-${randomBytes(4).toString("hex")}`;
      try {
        await stagePlugin({ kind: "directory", path: source }, staged);
        await rename(staged, directory).catch(async (error: unknown) => {
          // Another process was faster with the same files.
          if (!(await hasManifest(directory))) throw error;
        });
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
      await removeStale(dirname(directory), `${plugin.author}@${plugin.name}.`);
    }
    return { ...plugin, directory, fingerprint };
  } catch (error) {
    return { ...plugin, problem: messageOf(error) };
  }
}

/** Copies of earlier versions. A process may still run from one, but not for a day. */
async function removeStale(directory: string, prefix: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((each) => each.startsWith(prefix))) {
    // Another process may have removed it meanwhile.
    const { mtimeMs } = (await stat(join(directory, name)).catch(() => null)) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > STALE_MS) await rm(join(directory, name), { recursive: true, force: true });
  }
}

export async function fingerprintOf(directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await listPluginFiles(directory)) {
    const { size, mtimeMs, ino } = await lstat(join(directory, path));
    hash.update(`${path}\0${size} ${mtimeMs} ${ino}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

async function readPlugin(directory: string, origin: Origin, fingerprint: string): Promise<InstalledPlugin> {
  try {
    const manifest = await readPluginManifest(directory);
    const id = `${manifest.author}/${manifest.name}`;
    // Agents run on an official plugin by its id: another one that takes the id would get what they are granted.
    const problem =
      origin !== "built-in" && RESERVED_IDS.has(id) ? `${id} comes with Drydock, which uses its own` : null;
    return { ...manifest, id, directory, origin, fingerprint, problem };
  } catch (error) {
    const [author, name] = [basename(dirname(directory)), basename(directory)];
    return {
      ...{ author, name, version: "0.0.0", runtime: "node", command: ["node", "-"] },
      sandbox: { hosts: [], environment: [] },
      ...{ id: `${author}/${name}`, directory, origin, fingerprint, problem: messageOf(error) },
    };
  }
}

/** The first of an id is used: one that is being developed before an installed one, that before one of a folder, that before one of a package, and so on. */
function hideDoubles(plugins: readonly InstalledPlugin[]): InstalledPlugin[] {
  const used = new Map<string, InstalledPlugin>();
  return plugins.map((plugin) => {
    const other = used.get(plugin.id);
    if (other) return { ...plugin, problem: plugin.problem ?? `${plugin.id} is used from ${other.directory}` };
    if (plugin.problem === null) used.set(plugin.id, plugin);
    return plugin;
  });
}

async function hasManifest(directory: string): Promise<boolean> {
  return (await stat(join(directory, PLUGIN_FILE)).catch(() => null))?.isFile() === true;
}

async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory).catch(() => []);
  const names: string[] = [];
  for (const name of entries.sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if ((await stat(join(directory, name)).catch(() => null))?.isDirectory()) names.push(name);
  }
  return names;
}

function otherName(id: string): string {
  return `plugin.yaml names ${id}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
