import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { loadLater } from "../base/lazy/index.ts";
import { createRedactor, openLedger, readOwner } from "../ledger/index.ts";
import { pickEnvironment } from "../policy/index.ts";
import { createSandbox, findPython, KERNEL_DIRECTORY, type Sandbox, type Work } from "../sandbox/index.ts";
import type { Tasks } from "./backlog/api.ts";
import type { CleanUp } from "./clean-up/api.ts";
import { type Config, readConfig } from "./config.ts";
import { createDeliveries, endLeftDeliveries } from "./deliveries/create-deliveries.ts";
import type { Dock, DockOptions } from "./dock.ts";
import { execute } from "./execute/execute.ts";
import { invalid } from "./execute/read-request.ts";
import { openExtensions } from "./extensions/open-extensions.ts";
import { learnSecrets } from "./extensions/secrets/secrets-file.ts";
import { createGoals } from "./goals/create-goals.ts";
import { openGoalPorts } from "./goals/open-goal-ports.ts";
import { makeHome } from "./make-home.ts";
import { createModels } from "./models/create-models.ts";
import type { WrapModel } from "./models/wrap-model.ts";
import { createPolicies } from "./policies/create-policies.ts";
import { createPolicyViews } from "./policies/policy-views.ts";
import type { Profiles } from "./profiles/api.ts";
import { createAudit } from "./receipts/audit.ts";
import { createReceipts } from "./receipts/create-receipts.ts";
import { createKeys } from "./receipts/keys.ts";
import { claimPlace, type EarlyStart, runsDirectory } from "./run-place.ts";
import type { Records } from "./runs/api.ts";
import { createRuns } from "./runs/create-runs.ts";
import { createEventFeed } from "./runs/follow-events.ts";
import type { OnEvents } from "./runs/on-events.ts";
import { withLastRun } from "./runs/with-last-run.ts";
import { createSessions } from "./sessions/create-sessions.ts";
import { execInSession } from "./sessions/exec-in-session.ts";
import { createPythonTasks } from "./tasks/create-python-tasks.ts";

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
  makeHome(home);
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
  /** Tracks what is under way, so that `close` can cancel it and wait for it. */
  const track = async <T>(outer: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    open();
    const run = act(outer ? AbortSignal.any([outer, stopping.signal]) : stopping.signal);
    inFlight.add(run);
    return run.finally(() => inFlight.delete(run));
  };
  const goalPorts = openGoalPorts({ ...ports, sandbox }, { config, home, redactor });
  const goals = createGoals(goalPorts, track);
  const environments = lazily(async () => {
    const { createEnvironments } = await import("./packages/index.ts");
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
        const { execWithPackages } = await import("./execute/exec-with-packages.ts");
        return execWithPackages({ ...ports, sandbox }, environments, { ...request, signal });
      });
    },
    ...createPythonTasks(taskPorts, track),
    models: createModels(taskPorts, track, { home, environment: config.environment }),
    goals,
    tasks: loadLater<Tasks>(["add", "list", "cancel", "run"], async () =>
      (await import("./backlog/create-backlog.ts")).createTasks({ ledger, goals, own }),
    ),
    extensions,
    verify: (request) =>
      track(request.signal, async (signal) => {
        const { verify } = await import("./verify/verify.ts");
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
      cancel: async (id) => (await import("./runs/cancel-run.ts")).cancelRun({ ledger, goals }, id),
      ...loadLater<Records>(["findings", "report", "writeRecords"], async () =>
        (await import("./runs/records.ts")).createRecords({ ledger, redactor, home }),
      ),
      ...createDeliveries({ ledger, policies, home, own, searchPath: config.searchPath }, track),
      ...createReceipts({ ...goalPorts, redactor, searchPath: config.searchPath, temporary: config.temporary }, track),
    }),
    profiles: loadLater<Profiles>(["get", "propose", "approve", "reject", "approvedText"], async () =>
      (await import("./profiles/create-profiles.ts")).createProfiles(goalPorts),
    ),
    policies: createPolicyViews(policies, own),
    audit: createAudit(ledger),
    keys: createKeys(ledger),
    ...loadLater<CleanUp>(["prune", "diskUsage"], async () =>
      (await import("./clean-up/create-clean-up.ts")).createCleanUp(ledger, home),
    ),
    doctor: async () => {
      const { runDoctor } = await import("./doctor/run-doctor.ts");
      const { useScratchLedger } = await import("./doctor/scratch-ledger.ts");
      const { measureHome } = await import("./clean-up/measure-home.ts");
      return useScratchLedger(config.temporary, (scratch) =>
        runDoctor({
          ...{ config, options, home, policies, ledger },
          exec: (request) => execute({ ...ports, ledger: scratch, sandbox }, request),
          probe: (policy) => sandbox().probe(policy),
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

/** Variables that runs may see are not secret. The values of all others are redacted. */
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
