import { lstatSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DrydockError, Layer } from "@drydock/protocol";
import { createRedactor, type Ledger, openLedger, readOwner } from "../ledger/index.ts";
import { pickEnvironment } from "../policy/index.ts";
import {
  collectLeftovers,
  createBaseReader,
  createSandbox,
  diffLayer,
  findPython,
  isProcessAlive,
  KERNEL_DIRECTORY,
  makeRunDirectory,
  type Sandbox,
} from "../sandbox/index.ts";
import { type Config, readConfig } from "./config.ts";
import type { Dock, DockOptions, Runs } from "./dock.ts";
import { execute } from "./exec.ts";
import { execInSession } from "./exec-in-session.ts";
import { createGate } from "./gate.ts";
import { createPolicies } from "./policies.ts";
import { runDoctor } from "./run-doctor.ts";
import { createSessions } from "./sessions.ts";

const DEFAULT_WARM = 4;

/** Opens a dock: the library's front door. The sandbox starts with the first run. */
export async function createDock(options: DockOptions = {}): Promise<Dock> {
  const config = readConfig();
  const home = resolve(options.home ?? config.home);
  const owner = readOwner();
  const policies = createPolicies(home);
  const ledger = await openLedger({
    home,
    synchronous: config.synchronous,
    owner,
    redactor: await createOwnRedactor(config, policies),
  });
  await ledger.recover();
  const name = `${owner.pid}-${owner.startTime}-${Math.random().toString(36).slice(2, 6)}`;
  const runs = join(config.temporary, `drydock-${process.getuid?.() ?? 0}`);
  const own = [home, runs];
  const sandbox = lazily(() => openSandbox(config, options, { home, runs, name }));
  const ports = { ledger, policies, gate: createGate(), environment: config.environment, own };
  const sessions = createSessions({ ...ports, sandbox });
  const inFlight = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  let closing: Promise<void> | undefined;
  const open = () => {
    if (closing) throw new DrydockError("input.invalid", "This dock is closed.", "Open another with createDock().");
  };
  return {
    home,
    exec: async (request) => {
      open();
      const signal = request.signal ? AbortSignal.any([request.signal, stopping.signal]) : stopping.signal;
      const run =
        request.session === undefined
          ? execute({ ...ports, sandbox }, { ...request, signal })
          : execInSession(ledger, sessions, request.session, { ...request, signal });
      inFlight.add(run);
      return run.finally(() => inFlight.delete(run));
    },
    sessions: {
      ...sessions,
      open: async (sessionOptions) => {
        open();
        return sessions.open(sessionOptions);
      },
    },
    runs: createRuns(ledger),
    audit: { verify: () => ledger.verify(), export: () => ledger.exportAudit() },
    doctor: () =>
      runDoctor({
        config,
        options,
        home,
        exec: (request) => execute({ ...ports, sandbox }, request),
        probe: () => sandbox().fleet.probe(),
      }),
    close: () => {
      closing ??= (async () => {
        // What is under way is cancelled, and its end recorded, before the ledger closes.
        stopping.abort();
        await Promise.allSettled(inFlight);
        await sessions.closeAll();
        await sandbox.opened()?.close();
        await ledger.close();
      })();
      return closing;
    },
  };
}

function lazily<T>(make: () => T): (() => T) & { opened(): T | undefined } {
  let made: T | undefined;
  return Object.assign(
    () => {
      made ??= make();
      return made;
    },
    { opened: () => made },
  );
}

/** Names of variables that runs may see are no secrets; the values of all others are. */
async function createOwnRedactor(config: Config, policies: ReturnType<typeof createPolicies>) {
  let allow: string[] = [];
  try {
    allow = (await policies.resolve({})).ceiling.environment.allow;
  } catch {
    // A policy that can't be read lets nothing through. The runs will say what is wrong with it.
  }
  return createRedactor({
    environment: config.environment,
    allowedNames: (name) => Object.keys(pickEnvironment(allow, { [name]: "x" })).length > 0,
    patterns: config.redact,
  });
}

/** Sockets have short paths, so that what lives with the process lies in the temporary directory, by user and home. */
function openSandbox(
  config: Config,
  options: DockOptions,
  { home, runs, name }: { home: string; runs: string; name: string },
): Sandbox {
  const python = findPython(options.python ?? config.python, config.searchPath);
  claimDirectory(runs);
  collectLeftovers(runs, isProcessAlive);
  const cacheDirectory = join(home, "cache");
  mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 });
  return createSandbox({
    python,
    node: process.execPath,
    kernel: KERNEL_DIRECTORY,
    directory: makeRunDirectory(runs, name),
    cacheDirectory,
    own: [home, runs],
    instance: `drydock-${name}`,
    warm: options.warm ?? DEFAULT_WARM,
  });
}

/** The temporary directory belongs to everybody: what lies there under our name must be ours, and closed to others. */
function claimDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
      throw new Error("it belongs to somebody else, or others can enter it");
  } catch (error) {
    throw new DrydockError(
      "sandbox.unavailable",
      `The directory ${path} can't be used: ${(error as Error).message}`,
      "Remove it, or set TMPDIR to a directory of your own.",
      { path },
    );
  }
}

function createRuns(ledger: Ledger): Runs {
  const get = async (id: string) => {
    const run = await ledger.getRun(id);
    if (!run)
      throw new DrydockError(
        "run.not_found",
        `There is no run ${id}.`,
        "`drydock runs list` shows the runs there are.",
        { runId: id },
      );
    return run;
  };
  return {
    get,
    list: async ({ limit, cursor, status } = {}) => {
      const { runs, nextCursor } = await ledger.listRuns({ limit, cursor, status });
      return { runs, cursor: nextCursor };
    },
    events: async (id, { afterSeq } = {}) => {
      await get(id);
      return ledger.events(id, { afterSeq });
    },
    diff: async (id) => {
      const run = await get(id);
      const captured = (await ledger.events(id)).findLast((event) => event.type === "layer.captured");
      if (!captured) return "";
      const layer = Layer.parse(JSON.parse((await ledger.blobs.read(String(captured.data.layer))).toString()));
      const readBase = run.workspace ? createBaseReader(run.workspace) : async () => null;
      return diffLayer(layer, { readBase, readBlob: (sha256) => ledger.blobs.read(sha256) });
    },
    artifacts: async (id) => {
      await get(id);
      return ledger.artifacts.list(id);
    },
    readArtifact: (id, range) => ledger.artifacts.read(id, range),
  };
}
