import { join } from "node:path";
import { DrydockError, type InstalledExtension } from "@drydock/protocol";
import { nameConflictError, quarantinedError } from "../errors.ts";
import { commitInstall, commitRemoval } from "./commit-install.ts";
import { findConflict } from "./find-conflict.ts";
import { prepareInstall } from "./install-extension.ts";
import { waitForLock } from "./lock.ts";
import type { RegistryContent, RegistryFile } from "./registry-file.ts";
import { collectLeftovers, openStaging, type Staging } from "./staging.ts";
import type { ExtensionRecord, InstallOptions, RegistryChanges, RegistryOptions } from "./types.ts";
import { explainWriteFailure } from "./write-files.ts";

interface RegistryPaths {
  root: string;
  file: RegistryFile;
}

interface Ports extends RegistryOptions, RegistryPaths {
  look(): Promise<{ records: Map<string, ExtensionRecord> }>;
  get(id: string): Promise<ExtensionRecord>;
}

/** Everything that changes which extensions there are. Processes that do so at once come one after the other. */
export function createChanges(ports: Ports): RegistryChanges {
  const { root, file, onStep } = ports;

  async function stage(marker?: { removes: string }): Promise<Staging> {
    using _lock = await lockRegistry(ports);
    await collectLeftovers(root, await file.read());
    onStep?.("make a staging folder");
    return openStaging(root, marker);
  }

  async function install(source: string, id: string | null, options: InstallOptions): Promise<InstalledExtension> {
    try {
      const installed = id === null ? null : await ports.get(id);
      await using staging = await stage();
      const { records } = await ports.look();
      const check = (next: Pick<InstalledExtension, "manifest" | "commands">) =>
        checkPlace(next, records, installed ?? null);
      const prepared = await prepareInstall(ports, { tree: staging.tree, source, installed, check }, options);
      if (!prepared) return await ports.get(id ?? "");
      using _lock = await lockRegistry(ports);
      // Another process may have been quicker.
      checkPlace(prepared.entry, (await ports.look()).records, installed);
      const change = { root, file, content: await file.read(), onStep };
      const entry = await commitInstall(change, staging.tree, prepared.files, prepared.entry);
      onStep?.("remove the staging folder");
      return entry;
    } catch (error) {
      if (options.signal?.aborted) throw cancelled();
      throw explainWriteFailure(error);
    }
  }

  async function switchTo(id: string, state: "enabled" | "disabled"): Promise<InstalledExtension> {
    using _lock = await lockRegistry(ports);
    const record = await ports.get(id);
    if (record.state === "quarantined") throw quarantinedError(id, record.problem ?? "");
    if (record.state === state) return record;
    if (state === "enabled") {
      const taken = findConflict(record, (await ports.look()).records.values());
      if (taken) throw taken;
    }
    const content = await file.read();
    onStep?.("replace the registry");
    await file.write(record.builtIn ? switchBuiltIn(content, id, state) : setState(content, id, state, null));
    return { ...record, state };
  }

  return {
    add: (source, options) => install(source, null, options),
    async update(id, { source, ...options }) {
      const installed = await ports.get(id);
      if (installed.builtIn) throw isBuiltIn(id, "updated");
      return install(source ?? installed.source, id, options);
    },
    enable: (id) => switchTo(id, "enabled"),
    disable: (id) => switchTo(id, "disabled"),
    async remove(id) {
      if ((await ports.get(id)).builtIn) throw isBuiltIn(id, "removed");
      await using _staging = await stage({ removes: id });
      using _lock = await lockRegistry(ports);
      await ports.get(id);
      await commitRemoval({ root, file, content: await file.read(), onStep }, id);
      onStep?.("remove the staging folder");
    },
  };
}

/** Keeps an extension from being used whose files are not those that were agreed to. */
export async function quarantine(
  place: RegistryPaths,
  record: ExtensionRecord,
  problem: string,
): Promise<ExtensionRecord> {
  using _lock = await lockRegistry(place);
  const content = await place.file.read();
  const now = content.extensions.find(({ manifest }) => manifest.id === record.manifest.id);
  // It may have been installed anew while its old files were looked at.
  if (now && join(place.root, now.directory) !== record.directory)
    return { ...now, directory: join(place.root, now.directory) };
  await place.file.write(setState(content, record.manifest.id, "quarantined", problem));
  return { ...record, state: "quarantined", problem };
}

function lockRegistry({ root }: Pick<RegistryPaths, "root">): Promise<Disposable> {
  return waitForLock(join(root, "lock"));
}

/** Throws where the extension has no place beside those that there are. */
function checkPlace(
  next: Pick<InstalledExtension, "manifest" | "commands">,
  records: ReadonlyMap<string, ExtensionRecord>,
  installed: InstalledExtension | null,
): void {
  const { id } = next.manifest;
  if (installed && installed.manifest.id !== id) {
    const message = `That is the extension ${id}, not ${installed.manifest.id}.`;
    throw new DrydockError("extension.conflict", message, `Install it with \`drydock ext add\`.`, { extension: id });
  }
  const there = records.get(id);
  if (installed && !there) {
    const message = `The extension ${id} was removed meanwhile.`;
    throw new DrydockError("extension.conflict", message, "Install it with `drydock ext add`.", { extension: id });
  }
  if (there && !installed) {
    if (there.builtIn) throw nameConflictError(`The id ${id}`, id, `${id}, which comes with Drydock,`);
    throw new DrydockError(
      "extension.conflict",
      `The extension ${id} is installed already (version ${there.manifest.version}).`,
      `Bring it up to date with \`drydock ext update ${id}\`, or remove it first.`,
      { extension: id, version: there.manifest.version },
    );
  }
  if (installed?.state === "disabled") return;
  const taken = findConflict(next, records.values());
  if (taken) throw taken;
}

function setState(
  content: RegistryContent,
  id: string,
  state: InstalledExtension["state"],
  problem: string | null,
): RegistryContent {
  const extensions = content.extensions.map((entry) =>
    entry.manifest.id === id ? { ...entry, state, problem } : entry,
  );
  return { ...content, extensions };
}

function switchBuiltIn(content: RegistryContent, id: string, state: "enabled" | "disabled"): RegistryContent {
  const others = content.disabledBuiltIns.filter((each) => each !== id);
  return { ...content, disabledBuiltIns: state === "disabled" ? [...others, id] : others };
}

function isBuiltIn(id: string, what: string): DrydockError {
  return new DrydockError(
    "extension.conflict",
    `The extension ${id} comes with Drydock and can't be ${what}.`,
    `Turn it off with \`drydock ext disable ${id}\`.`,
    { extension: id },
  );
}

function cancelled(): DrydockError {
  return new DrydockError(
    "run.cancelled",
    "It was cancelled. Nothing was changed.",
    "Start it again when you want to.",
  );
}
