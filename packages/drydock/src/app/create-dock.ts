import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { createRedactor, type Ledger, loadLater, openLedger, readOwner } from "../ledger/index.ts";
import { pickEnvironment } from "../policy/index.ts";
import {
  createBaseReader,
  createSandbox,
  findPython,
  KERNEL_DIRECTORY,
  loadLayerDiff,
  type Sandbox,
  type Work,
} from "../sandbox/index.ts";
import type { Deliveries } from "./api/deliveries.ts";
import type { OnEvents } from "./api/on-events.ts";
import type { Profiles } from "./api/profiles.ts";
import type { Receipts } from "./api/receipts.ts";
import type { Records } from "./api/records.ts";
import type { Tasks } from "./api/tasks.ts";
import type { WrapModel } from "./api/wrap-model.ts";
import { createAudit } from "./audit.ts";
import type { CleanUp } from "./clean-up/api.ts";
import { type Config, readConfig } from "./config.ts";
import { createDeliveries, endLeftDeliveries } from "./create-deliveries.ts";
import { createGoals } from "./create-goals.ts";
import { createModels } from "./create-models.ts";
import type { Dock, DockOptions, Runs } from "./dock.ts";
import { execute } from "./exec.ts";
import { openExtensions } from "./extensions/open-extensions.ts";
import { learnSecrets } from "./extensions/secrets-file.ts";
import { createEventFeed } from "./follow-events.ts";
import { createKeys } from "./keys.ts";
import { openGoalPorts } from "./open-goal-ports.ts";
import { createPolicies } from "./policies.ts";
import { createPolicyViews } from "./policy-views.ts";
import { createPythonTasks } from "./python-tasks.ts";
import { invalid } from "./read-request.ts";
import { createReceipts } from "./receipts/create-receipts.ts";
import { claimPlace, type EarlyStart, runsDirectory } from "./run-place.ts";
import { createSessions } from "./sessions/create-sessions.ts";
import { execInSession } from "./sessions/exec-in-session.ts";
import { withLastRun } from "./with-last-run.ts";

const DEFAULT_WARM = 8;

interface InternalOptions extends DockOptions {
  early?: EarlyStart | null;
  /** For tests that record what a model answers, and replay it. */
  wrapModel?: WrapModel;
  onEvents?: OnEvents;
  /** For commands that only look: a home that can't be written is opened all the same. */
  readsOnly?: boolean;
}

/** Opens a dock: the library's front door. The sandbox starts with the first run. */
export async function createDock(options: InternalOptions = {}): Promise<Dock> {
  const config = readConfig();
  const home = resolve(options.home ?? config.home);
  const owner = readOwner();
  const policies = createPolicies(home);
  const redactor = await createOwnRedactor(config, policies);
  learnSecrets(home, redactor);
  const mayBeUnwritable = options.readsOnly;
  const opened = await openLedger({ home, synchronous: config.synchronous, owner, redactor, mayBeUnwritable });
  const feed = createEventFeed(opened, options.onEvents);
  const { ledger } = feed;
  if (!ledger.isReadOnly) {
    await ledger.recover();
    await endLeftDeliveries({ ledger, home });
  }
  const own = [home, runsDirectory(config)];
  const sandbox = lazily(() => openSandbox(config, options, home));
  const inFlight = new Set<Promise<unknown>>();
  // A processor that is busy with other runs needs no waking.
  const expect = (work: Work) => {
    if (inFlight.size === 0) sandbox.opened()?.expect(work);
  };
  const ports = { ledger, policies, expect, environment: config.environment, own };
  const sessions = createSessions({ ...ports, sandbox });
  const stopping = new AbortController();
  let closing: Promise<void> | undefined;
  const open = () => {
    if (closing) throw new DrydockError("input.invalid", "This dock is closed.", "Open another with createDock().");
  };
  /** What is under way is known, so that closing can end it and wait for it. */
  const track = async <T>(outer: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    open();
    const run = act(outer ? AbortSignal.any([outer, stopping.signal]) : stopping.signal);
    inFlight.add(run);
    return run.finally(() => inFlight.delete(run));
  };
  const goalPorts = openGoalPorts({ ...ports, sandbox }, { config, home, redactor });
  const goals = createGoals(goalPorts, track);
  const environments = lazily(async () => {
    const { createEnvironments } = await import("./environments/index.ts");
    const pythonPath = () => findPython(options.python ?? config.python, config.searchPath).path;
    return createEnvironments({ ...ports, sandbox, home, pythonIndex: config.pythonIndex, pythonPath });
  });
  const { wrapModel } = options;
  const extensions = openExtensions(async () => {
    const { createExtensions } = await import("./extensions/create-extensions.ts");
    return createExtensions({ ...taskPorts, home, redactor, searchPath: config.searchPath }, track);
  });
  const taskPorts = { ...goalPorts, sessions, temporary: config.temporary, wrapModel, environments, extensions };
  return {
    home,
    exec: async (request) => {
      if (typeof request !== "object" || request === null) throw invalid("A request needs code, or a command.");
      return track(request.signal, async (signal) => {
        if (request.session !== undefined) {
          return execInSession(ledger, sessions, request.session, { ...request, signal });
        }
        if (request.requirements === undefined) return execute({ ...ports, sandbox }, { ...request, signal });
        const { execWithPackages } = await import("./exec-with-packages.ts");
        return execWithPackages({ ...ports, sandbox }, environments, { ...request, signal });
      });
    },
    ...createPythonTasks(taskPorts, track),
    models: createModels(taskPorts, track, { home, environment: config.environment }),
    goals,
    tasks: loadLater<Tasks>(["add", "list", "cancel", "run"], async () =>
      (await import("./backlog.ts")).createTasks({ ledger, goals, own }),
    ),
    extensions,
    verify: (request) =>
      track(request.signal, async (signal) => {
        const { verify } = await import("./verify.ts");
        return verify({ ...ports, sandbox, searchPath: config.searchPath }, { ...request, signal });
      }),
    sessions: {
      ...sessions,
      open: async (sessionOptions) => {
        open();
        return sessions.open(sessionOptions);
      },
    },
    runs: withLastRun({
      ...createRuns(ledger),
      follow: feed.follow,
      cancel: async (id) => (await import("./cancel-run.ts")).cancelRun({ ledger, goals }, id),
      ...loadLater<Records>(["findings", "report", "writeRecords"], async () =>
        (await import("./records.ts")).createRecords({ ledger, redactor, home }),
      ),
      ...createDeliveries({ ledger, policies, home, own, searchPath: config.searchPath }, track),
      ...createReceipts({ ...goalPorts, redactor, searchPath: config.searchPath, temporary: config.temporary }, track),
    }),
    profiles: loadLater<Profiles>(["get", "propose", "approve", "reject", "approvedText"], async () =>
      (await import("./profile.ts")).createProfiles(goalPorts),
    ),
    policies: createPolicyViews(policies, own),
    audit: createAudit(ledger),
    keys: createKeys(ledger),
    ...loadLater<CleanUp>(["prune", "diskUsage"], async () =>
      (await import("./clean-up/create-clean-up.ts")).createCleanUp(ledger, home),
    ),
    doctor: async () => {
      const { runDoctor } = await import("./run-doctor.ts");
      const { useScratchLedger } = await import("./doctor-ledger.ts");
      const { measureHome } = await import("./clean-up/measure-home.ts");
      return useScratchLedger(config.temporary, (scratch) =>
        runDoctor({
          ...{ config, options, home, policies, ledger },
          exec: (request) => execute({ ...ports, ledger: scratch, sandbox }, request),
          probe: () => sandbox().fleet.probe(),
          diskUsage: () => measureHome(ledger, home),
        }),
      );
    },
    close: () => {
      closing ??= (async () => {
        // What is under way is cancelled, and its end recorded, before the ledger closes.
        stopping.abort();
        feed.close();
        await Promise.allSettled(inFlight);
        await sessions.closeAll();
        await sandbox.opened()?.close();
        await (options.early ? ledger.leave() : ledger.close());
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

function openSandbox(config: Config, options: InternalOptions, home: string): Sandbox {
  const { early } = options;
  const place = early?.place ?? claimPlace(config, home, options.python);
  return createSandbox({
    ...place,
    kernel: KERNEL_DIRECTORY,
    own: [home, runsDirectory(config)],
    userHome: config.userHome,
    warm: options.warm ?? DEFAULT_WARM,
    early: early?.server,
  });
}

function createRuns(
  ledger: Ledger,
): Omit<Runs, keyof Records | keyof Deliveries | keyof Receipts | "follow" | "cancel"> {
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
    list: async (options = {}) => {
      const { runs, nextCursor } = await ledger.listRuns(options);
      return { runs, cursor: nextCursor };
    },
    events: async (id, { afterSeq } = {}) => {
      await get(id);
      return ledger.events(id, { afterSeq });
    },
    diff: async (id) => {
      const run = await get(id);
      const events = await ledger.events(id);
      const captured = events.findLast((event) => event.type === "layer.captured");
      if (!captured) return "";
      const { readLayer } = await import("./read-layer.ts");
      const layer = await readLayer(ledger, captured);
      const readNow = run.workspace ? createBaseReader(run.workspace) : async () => null;
      // What was kept is what the run saw; the workspace may hold the run's own changes by now.
      const kept = new Map(layer.entries.map(({ path, wasSha256 }) => [path, wasSha256]));
      const readKept = (sha256?: string) => (sha256 ? ledger.blobs.read(sha256).catch(() => null) : null);
      const readBase = async (path: string) => (await readKept(kept.get(path))) ?? readNow(path);
      const { diffLayer } = await loadLayerDiff();
      const { hiddenFrom } = await import("./hidden-from.ts");
      const isHidden = hiddenFrom(events[0]?.data.policy, layer);
      return diffLayer(layer, { readBase, readBlob: (sha256) => ledger.blobs.read(sha256), isHidden });
    },
    artifacts: async (id) => {
      await get(id);
      return ledger.artifacts.list(id);
    },
    readArtifact: (id, range) => ledger.artifacts.read(id, range),
    findArtifact: (id) => ledger.artifacts.get(id),
    streamArtifact: (id, range) => ledger.artifacts.stream(id, range),
  };
}
