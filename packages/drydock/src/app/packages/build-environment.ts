import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError, type ExecResult, type PolicyDocument } from "@drydock/protocol";
import { execute } from "../execute/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { readLayer } from "../runs/read-layer.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { type EnvironmentLock, hashTree, isAsLocked, LOCK_FILE, readLock, SITE } from "./environment-lock.ts";
import { INSTALL_PROGRAM } from "./install-program.ts";
import { flushDirectory, unpackEnvironment } from "./unpack-environment.ts";

export interface Build {
  key: string;
  /** Where it is to be kept; other environments lie beside it. */
  directory: string;
  requirements: readonly string[];
  /** The packages of a lock, which are then what is installed, and nothing else. */
  exactly: EnvironmentLock["packages"] | null;
  index: string | null;
  policy: PolicyDocument;
  signal?: AbortSignal;
  parentRunId?: string;
}

const MAX_REASON_CHARS = 1000;
const MAX_ROUNDS = 5;

/**
 * Installs in the sandbox and keeps the result in one step: meanwhile other processes see nothing, and of several
 * parallel builds of the same environment the first wins. A build that fails leaves nothing.
 */
export async function buildEnvironment(ports: ExecPorts, build: Build): Promise<EnvironmentLock> {
  const { key, directory, exactly } = build;
  const run = await execute(ports, {
    command: ["python3", "-I", "-c", INSTALL_PROGRAM],
    stdin: JSON.stringify({
      requirements: exactly?.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}`) ?? [
        ...build.requirements,
      ],
      exactly: exactly !== null,
      wheelsOnly: true,
      index: build.index,
    }),
    ...{ policy: build.policy, signal: build.signal, parentRunId: build.parentRunId },
  });
  if (!run.ok) throw await explainFailure(ports, run, build);
  const staging = `${directory}.building-${process.pid}-${randomBytes(5).toString("hex")}`;
  try {
    await mkdir(staging, { mode: 0o700 });
    const files = await openFiles(ports, run.runId);
    const site = join(staging, SITE);
    const { python, platform, packages } = await unpackEnvironment(site, (await files("index.json")).toString(), files);
    const lock: EnvironmentLock = {
      ...{ version: 1, key, requirements: [...build.requirements], python, platform, packages },
      ...(await hashTree(site)),
      ...{ runId: run.runId, at: new Date().toISOString() },
    };
    await writeFile(join(staging, LOCK_FILE), `${JSON.stringify(lock, null, 2)}\n`, { mode: 0o600 });
    await flushDirectory(staging);
    await putInPlace(staging, directory, key);
    return lock;
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    const message = `The installed packages could not be saved: ${(error as Error).message}`;
    throw new DrydockError(
      "internal",
      message,
      `\`drydock runs show ${run.runId}\` shows the run that installed them.`,
      { runId: run.runId },
      error,
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * What is there already and is whole was built meanwhile by somebody else: it stays. What is not whole gives way; it is
 * looked at again once it is aside, as another process may have put a whole one there in between.
 */
async function putInPlace(staging: string, directory: string, key: string): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (await tryRename(staging, directory)) return;
    if (await isWhole(directory, key)) return;
    const aside = `${staging}.broken`;
    if (!(await tryRename(directory, aside))) continue;
    if (await isWhole(aside, key)) await tryRename(aside, directory);
    await rm(aside, { recursive: true, force: true });
  }
}

async function isWhole(directory: string, key: string): Promise<boolean> {
  const lock = await readLock(directory);
  return lock?.key === key && (await isAsLocked(directory, lock));
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** The run's files, by the content that is on record. */
async function openFiles({ ledger }: ExecPorts, runId: string): Promise<(name: string) => Promise<Buffer>> {
  const captured = (await readAllEvents(ledger, runId)).findLast(({ type }) => type === "layer.captured");
  if (!captured) throw new Error("nothing was installed");
  const entries = new Map((await readLayer(ledger, captured)).entries.map(({ path, sha256 }) => [path, sha256]));
  return async (name) => {
    const sha256 = entries.get(name);
    if (sha256 === undefined || sha256 === null) throw new Error(`${name} is missing`);
    return ledger.blobs.readWhole(sha256);
  };
}

async function explainFailure({ ledger }: ExecPorts, run: ExecResult, { index }: Build): Promise<DrydockError> {
  const { runId, error } = run;
  const refused = (await readAllEvents(ledger, runId)).filter(({ type }) => type === "network.refused");
  const hosts = [...new Set(refused.map(({ data }) => `${data.host}:${data.port}`))];
  if (hosts.length > 0) {
    const hint = hosts.map((host) => `\`drydock policy allow network ${host}\``).join(" and ");
    return new DrydockError(
      "policy.network_denied",
      `The packages can't be installed: the policy does not allow ${hosts.join(", ")}.`,
      `The owner can allow it: ${hint}.${index === null ? " To use another index, set DRYDOCK_PYTHON_INDEX." : ""}`,
      { hosts, runId },
    );
  }
  if (error === null || (error.code !== "code.exit" && error.code !== "code.crash")) {
    const { code = "internal", message = "", hint = "" } = error ?? {};
    return asDrydockError(new DrydockError(code, `The packages can't be installed: ${message}`, hint, { runId }));
  }
  const reasons = run.stderr.split("\n").filter((line) => line.startsWith("ERROR: "));
  const reason = reasons.map((line) => line.slice("ERROR: ".length)).join(" ") || error.message;
  const isMissing = reason.includes("has no pip");
  return new DrydockError(
    "code.import_missing",
    `The packages can't be installed: ${reason.slice(0, MAX_REASON_CHARS)}`,
    isMissing
      ? "Install it for the Python that runs use: `apt-get install python3-pip`."
      : "Only wheels are installed, nothing is built from source. Ask for versions that the index has as wheels.",
    { runId },
  );
}
