import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadLater } from "../../base/lazy/index.ts";
import { tryFileLock } from "../../base/locks/index.ts";
import { findNearestWord } from "../../base/text/index.ts";
import { extensionDisabledError, notInstalledError, quarantinedError } from "../errors.ts";
import { USAGE_FILE } from "../format/file-names.ts";
import { readBuiltIns } from "./built-ins.ts";
import { describeChange, readSignature } from "./check-files.ts";
import { findConflict } from "./find-conflict.ts";
import { createRegistryFile, type RegistryContent } from "./registry-file.ts";
import { collectLeftovers, hasStaging } from "./staging.ts";
import type { EnabledCommand, ExtensionRecord, Registry, RegistryOptions } from "./types.ts";

interface View {
  /** By id. */
  records: Map<string, ExtensionRecord>;
  routes: readonly EnabledCommand[];
}

/** The extensions of a home: those that come with Drydock and those that were installed. */
export function createRegistry(options: RegistryOptions): Registry {
  const root = join(options.home, "extensions");
  const file = createRegistryFile(join(root, "registry.json"));
  const views = new WeakMap<RegistryContent, View>();
  const checked = new Map<string, string>();
  let builtIns: Promise<ExtensionRecord[]> | undefined;
  let isTidy = false;

  /**
   * Removes, once, what interrupted changes have left behind. A process that is changing the registry now does it
   * itself.
   */
  async function tidy(): Promise<void> {
    isTidy = true;
    if (!hasStaging(root)) return;
    using lock = tryFileLock(join(root, "lock"));
    if (lock) await collectLeftovers(root, await file.read());
  }

  async function look(): Promise<View> {
    if (!isTidy) await tidy();
    const content = await file.read();
    let view = views.get(content);
    if (!view) {
      builtIns ??= readBuiltIns(options.builtInDirectory);
      view = makeView(content, await builtIns, root);
      views.set(content, view);
    }
    return view;
  }

  async function get(id: string): Promise<ExtensionRecord> {
    const { records } = await look();
    const record = records.get(id);
    if (!record) throw notInstalledError(id, findNearestWord(id, [...records.keys()]));
    return record;
  }

  /** The record as it is after its files were looked at. */
  async function check(record: ExtensionRecord): Promise<ExtensionRecord> {
    if (record.builtIn || record.state === "quarantined") return record;
    const problem = await findChange(record, checked);
    if (problem === null) return record;
    const { quarantine } = await import("./change-registry.ts");
    return quarantine({ root, file }, record, problem);
  }

  // Most processes change nothing, and need none of what reads archives and asks registries.
  const change = loadLater(async () =>
    (await import("./change-registry.ts")).createChanges({ ...options, root, file, look, get }),
  );
  return {
    async list() {
      const { records } = await look();
      return Promise.all([...records.values()].map(check));
    },
    get,
    inspect: async (id) => check(await get(id)),
    readUsage: async (id) => readFile(join((await get(id)).directory, USAGE_FILE), "utf8").catch(() => ""),
    routes: async () => (await look()).routes,
    async verify(id) {
      const record = await check(await get(id));
      if (record.state === "quarantined") throw quarantinedError(id, record.problem ?? "");
      if (record.state === "disabled") throw extensionDisabledError(id);
      return record;
    },
    add: change((changes) => changes.add),
    update: change((changes) => changes.update),
    enable: change((changes) => changes.enable),
    disable: change((changes) => changes.disable),
    remove: change((changes) => changes.remove),
  };
}

/** What is wrong with the files of an installed extension. They are read in full once, and again when one was touched. */
async function findChange({ directory, hash }: ExtensionRecord, checked: Map<string, string>): Promise<string | null> {
  let signature: string;
  try {
    signature = readSignature(directory);
  } catch (error) {
    return `its files can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const key = `${directory}\0${hash}`;
  if (checked.get(key) === signature) return null;
  const problem = await describeChange(directory, hash, `${directory}.files.json`);
  if (problem === null) checked.set(key, signature);
  return problem;
}

/**
 * What was installed was there before an extension of the same name, or with the same commands, came with a newer Drydock:
 * it stays what it was, and the newcomer waits until it is gone.
 */
function makeView(content: RegistryContent, builtIns: readonly ExtensionRecord[], root: string): View {
  const installed = content.extensions.map((entry) => ({ ...entry, directory: join(root, entry.directory) }));
  const active = installed.filter(({ state }) => state === "enabled");
  const own = builtIns
    .filter(({ manifest }) => !installed.some((other) => other.manifest.id === manifest.id))
    .map((record) => {
      const isOff = content.disabledBuiltIns.includes(record.manifest.id) || findConflict(record, active) !== null;
      return isOff ? { ...record, state: "disabled" as const } : record;
    });
  const all = [...own, ...installed].toSorted((a, b) => (a.manifest.id < b.manifest.id ? -1 : 1));
  const routes = all
    .filter(({ state }) => state === "enabled")
    .flatMap(({ manifest, commands }) => commands.map((command) => ({ extension: manifest.id, command })))
    .toSorted((a, b) => (a.command.name < b.command.name ? -1 : 1));
  return { records: new Map(all.map((record) => [record.manifest.id, record])), routes };
}
