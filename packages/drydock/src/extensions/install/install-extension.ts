import { DrydockError, type InstalledExtension } from "@drydock/protocol";
import { hashFiles, hashTree } from "../format/hash-files.ts";
import { listFiles } from "../format/list-files.ts";
import { type ReadExtension, readExtension } from "../format/read-extension.ts";
import { fitsPlatform, PLATFORM, runInstallSteps } from "./install-steps.ts";
import { findAdded } from "./list-asks.ts";
import { refuseProblems } from "./refuse-problems.ts";
import type { RegistryEntry } from "./registry-file.ts";
import { formatSource, parseSource } from "./sources/parse-source.ts";
import { stageSource } from "./sources/stage-source.ts";
import type { InstallOptions, RegistryOptions } from "./types.ts";
import { sealFiles } from "./write-files.ts";

export interface InstallPreparation {
  tree: string;
  source: string;
  installed: InstalledExtension | null;
  /** Throws where it can't be installed beside what there is. */
  check: (extension: ReadExtension) => void;
}

export interface PreparedInstall {
  entry: Omit<RegistryEntry, "directory">;
  files: Awaited<ReturnType<typeof hashFiles>>;
}

/**
 * Puts an extension together in a staging folder: its files, consent to what it asks for, then its tools. Nothing of it is
 * seen by anybody yet. Null where it is the one that is installed already.
 */
export async function prepareInstall(
  ports: RegistryOptions,
  { tree, source: requestedSource, installed, check }: InstallPreparation,
  options: InstallOptions,
): Promise<PreparedInstall | null> {
  const { signal, onProgress } = options;
  const where = await parseSource(requestedSource);
  const source = formatSource(where);
  if (where.kind === "npm") onProgress?.(`fetching ${source}`);
  ports.onStep?.("copy the files");
  await stageSource(ports, where, tree, signal);
  const reading = await readExtension(tree);
  if (!reading.ok) throw refuseProblems(requestedSource, reading.problems);
  const { extension, problems } = reading;
  checkPlatform(extension);
  check(extension);
  const added = findAdded(extension, installed);
  const plan = { extension: { ...pick(extension), source }, installed, added, warnings: problems };
  signal?.throwIfAborted();
  // Approved permissions stay approved; new ones need approval.
  const isMeant = options.hash === undefined || options.hash === extension.hash;
  const isAgreed = installed !== null && added.length === 0 && isMeant;
  if (!isAgreed && !(await options.approve(plan))) throw notAgreed(extension.manifest.id);
  ports.onStep?.("run the install steps");
  await runInstallSteps(ports, tree, extension.manifest.install, options);
  const { files } = await listFiles(tree, { all: true });
  const hashed = await hashFiles(tree, files);
  const hash = hashTree(hashed);
  if (installed?.hash === hash && installed.state !== "quarantined" && installed.source === source) return null;
  ports.onStep?.("seal the files");
  await sealFiles(tree, files);
  signal?.throwIfAborted();
  const entry: PreparedInstall["entry"] = {
    manifest: extension.manifest,
    commands: extension.commands,
    state: installed?.state === "disabled" ? "disabled" : "enabled",
    problem: null,
    hash,
    source,
    builtIn: false,
    installedAt: (ports.now?.() ?? new Date()).toISOString(),
    installedBy: options.by ?? "owner",
  };
  return { entry, files: hashed };
}

function pick({ manifest, commands, hash }: ReadExtension) {
  return { manifest, commands, hash };
}

function checkPlatform({ manifest: { id, platforms } }: ReadExtension): void {
  if (fitsPlatform(platforms)) return;
  throw new DrydockError(
    "extension.invalid",
    `The extension ${id} is for ${platforms?.join(", ")}, and this is ${PLATFORM}.`,
    "Look for one that is made for this machine.",
    { extension: id, platforms, platform: PLATFORM },
  );
}

function notAgreed(id: string): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    `The permissions of the extension ${id} were not approved. Nothing was installed.`,
    "Read its permissions and answer y, or approve them in advance with --yes.",
    { extension: id },
  );
}
