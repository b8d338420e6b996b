import { resolve } from "node:path";
import { type LedgerOptions, openLedger, readOwner, readServer } from "../ledger/index.ts";
import { createSandbox, findPython, KERNEL_DIRECTORY, type Sandbox } from "../sandbox/index.ts";
import { openTasks } from "./backlog/api.ts";
import { openBoxes } from "./boxes/api.ts";
import { createCleanUp } from "./clean-up/api.ts";
import { type Config, readConfig } from "./config.ts";
import { createDeliveries, endLeftDeliveries } from "./deliveries/create-deliveries.ts";
import type { Dock, InternalOptions } from "./dock.ts";
import { createDoctor } from "./doctor/api.ts";
import { createExecution } from "./execute/create-execution.ts";
import { openExtensions } from "./extensions/open-extensions.ts";
import { registerSecrets } from "./extensions/secrets/secrets-file.ts";
import { createGoals } from "./goals/create-goals.ts";
import { openGoalPorts } from "./goals/open-goal-ports.ts";
import { openAgentHost } from "./host/open-agent-host.ts";
import { openKnowledge } from "./knowledge/api.ts";
import { createLoad } from "./load/api.ts";
import { makeHome } from "./make-home.ts";
import { createModels } from "./models/create-models.ts";
import type { Environments } from "./packages/index.ts";
import { createPolicies } from "./policies/create-policies.ts";
import { openHomePolicy } from "./policies/open-home-policy.ts";
import { createPolicyViews } from "./policies/policy-views.ts";
import { openProfiles } from "./profiles/api.ts";
import { createAudit } from "./receipts/audit.ts";
import { createReceipts } from "./receipts/create-receipts.ts";
import { createKeys } from "./receipts/keys.ts";
import { createReplays } from "./replays/api.ts";
import { claimPlace, runsDirectory } from "./run-place.ts";
import { openRecords } from "./runs/api.ts";
import { createRuns } from "./runs/create-runs.ts";
import type { ExecPorts } from "./runs/exec-ports.ts";
import { createEventFeed } from "./runs/follow-events.ts";
import type { OnEvents } from "./runs/on-events.ts";
import { openRedactor } from "./runs/open-redactor.ts";
import { type OptionNames, refuseUnknownOptions } from "./runs/refuse-unknown-options.ts";
import { trackCalls } from "./runs/track-calls.ts";
import { withLastRun } from "./runs/with-last-run.ts";
import type { SessionOptions, Sessions } from "./sessions/api.ts";
import { createSessions, type LiveSessions } from "./sessions/create-sessions.ts";
import { openSkills } from "./skills/api.ts";
import { createPythonTasks } from "./tasks/create-python-tasks.ts";
import type { Telemetry } from "./telemetry/open-telemetry.ts";
import type { UpstreamGateway } from "./upstreams/api.ts";
import { createUpstreams } from "./upstreams/create-upstreams.ts";
import { createVerifier } from "./verify/api.ts";
import { openWorkers } from "./workers/api.ts";
import { createWraps } from "./wraps/api.ts";

const DEFAULT_WARM = 8;
const SESSION_OPTIONS = {
  ...{ language: true, workspace: true, policy: true, preset: true, requirements: true, install: true },
  ...{ signal: true, onReading: true },
} as const satisfies OptionNames<SessionOptions>;

/** Opens a dock: the library's front door. The sandbox starts with the first run. */
export async function createDock(options: InternalOptions = {}): Promise<Dock> {
  const config = readConfig();
  const home = resolve(options.home ?? config.home);
  makeHome(home);
  const policies = createPolicies(home);
  const redactor = await openRedactor(config, policies);
  registerSecrets(home, redactor);
  const { feed, telemetry } = await openFeed(config, options, { home, redactor });
  const { ledger } = feed;
  const own = [home, runsDirectory(config)];
  const upstreams = createUpstreams({ home, environment: config.environment, policies, redactor });
  const sandbox = lazily(() => openSandbox(config, options, home, upstreams));
  const calls = trackCalls();
  const { track } = calls;
  const { environment, searchPath, temporary, databaseUrl } = config;
  const ports = { ledger, policies, environment, own, sandbox, caller: options.isShared ? undefined : "owner" };
  const sessions = createSessions(ports);
  const goalPorts = openGoalPorts(ports, { config, home, redactor });
  const goals = createGoals(goalPorts, track);
  const environments = lazily(() => openEnvironments(ports, config, options, home));
  const extensions = openExtensions(async () => {
    const { createExtensions } = await import("./extensions/create-extensions.ts");
    return createExtensions({ ...taskPorts, home, redactor, searchPath, hostActions: host.hostActions }, track);
  });
  const taskPorts = { ...goalPorts, sessions, temporary, wrapModel: options.wrapModel, environments, extensions };
  const models = createModels(taskPorts, track, { home, environment });
  const knowledge = openKnowledge({
    ...ports,
    home,
    models: async () => (await import("./knowledge/knowledge-models.ts")).readKnowledgeModels(home, environment),
  });
  const skills = openSkills({ home, extensions });
  const boxes = openBoxes({ ...ports, home, skills });
  const deliveries = createDeliveries({ ledger, policies, home, own, searchPath }, track);
  const wraps = createWraps({ ...ports, ...deliveries, home, searchPath }, track);
  const settings = { home, models, knowledge, skills, extensions };
  const host = openAgentHost({ ...ports, ...settings, sessions, boxes, wraps, redactor });
  const cancel = async (id: string) => (await import("./runs/cancel-run.ts")).cancelRun({ ledger, goals }, id);
  const workers = openWorkers({ ...ports, goals, environments, databaseUrl, follow: feed.follow, cancel });
  return {
    home,
    ...createExecution({ ...ports, sessions, environments }, track),
    ...createVerifier({ ...ports, searchPath }, track),
    ...createPythonTasks(taskPorts, track),
    ...createCleanUp(ledger, home),
    ...{ ...createDoctor({ ...ports, config, options, home }), ...createLoad(sandbox.opened) },
    sessions: guardSessions(sessions, environments, calls.requireOpen),
    goals,
    tasks: openTasks({ ledger, goals, own }),
    extensions,
    runs: withLastRun({
      ...createRuns(ledger),
      follow: feed.follow,
      cancel,
      ...openRecords({ ledger, redactor, home }),
      ...deliveries,
      ...createReceipts({ ...goalPorts, redactor, searchPath, temporary }, track),
      ...createReplays({ ...taskPorts, home, searchPath, host }, track),
    }),
    profiles: openProfiles(goalPorts),
    ...{ policies: createPolicyViews(policies, own), homePolicy: openHomePolicy({ home, policies, own }) },
    ...{ models, upstreams, host, boxes, skills, knowledge, wraps, workers },
    audit: createAudit(ledger),
    keys: createKeys(ledger),
    close: lazily(async () => {
      // What is under way is cancelled, and its end recorded, before the ledger closes.
      calls.stop();
      await workers.closeAll();
      await host.close().finally(boxes.closeAll);
      feed.close();
      await calls.settle();
      await sessions.closeAll();
      await sandbox.opened()?.close();
      await upstreams.close();
      await telemetry?.close();
      await (options.early ? ledger.leave() : ledger.close());
    }),
  };
}

async function openEnvironments(
  ports: ExecPorts,
  { python, pythonIndex, searchPath }: Config,
  options: InternalOptions,
  home: string,
): Promise<Environments> {
  const { createEnvironments } = await import("./packages/index.ts");
  const pythonPath = () => findPython(options.python ?? python, searchPath).path;
  return createEnvironments({ ...ports, home, pythonIndex, pythonPath });
}

/** The ledger, whose events reach those who follow them. What processes that are gone have left open is ended first. */
async function openFeed(
  { synchronous, databaseUrl, telemetry: traces }: Config,
  { readsOnly, onEvents }: InternalOptions,
  { home, redactor }: Pick<LedgerOptions, "home" | "redactor">,
) {
  const owner = readOwner();
  const opened = await openLedger({ home, databaseUrl, synchronous, owner, redactor, mayBeUnwritable: readsOnly });
  const telemetry = traces && (await import("./telemetry/open-telemetry.ts")).openTelemetry(traces, () => opened);
  const feed = createEventFeed(opened, telemetry ? notifyBoth(telemetry, onEvents) : onEvents);
  if (!feed.ledger.isReadOnly) {
    await feed.ledger.recover();
    await endLeftDeliveries({ ledger: feed.ledger, home });
  }
  return { feed, telemetry };
}

function notifyBoth(telemetry: Telemetry, onEvents: OnEvents | undefined): OnEvents {
  return (events) => {
    onEvents?.(events);
    telemetry.onEvents(events);
  };
}

/** No session is opened on a dock that is closed. */
function guardSessions(
  sessions: LiveSessions,
  environments: () => Promise<Environments>,
  requireOpen: () => void,
): Sessions {
  return {
    ...sessions,
    open: async (options = {}) => {
      requireOpen();
      refuseUnknownOptions(SESSION_OPTIONS, options);
      if (options.requirements === undefined && options.install !== true) return sessions.open(options);
      return (await import("./sessions/open-with-packages.ts")).openWithPackages(sessions, environments, options);
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

function databaseServers({ databaseUrl }: Config): NonNullable<ReturnType<typeof readServer>>[] {
  const server = databaseUrl === null ? null : readServer(databaseUrl);
  return server ? [server] : [];
}

function openSandbox(config: Config, options: InternalOptions, home: string, upstreams: UpstreamGateway): Sandbox {
  const { early } = options;
  const place = early?.place ?? claimPlace(config, home, options.python);
  return createSandbox({
    ...place,
    kernel: KERNEL_DIRECTORY,
    own: [home, runsDirectory(config)],
    ownServers: databaseServers(config),
    userHome: config.userHome,
    warm: options.warm ?? DEFAULT_WARM,
    early: early?.server,
    searchPath: config.searchPath,
    openUpstreams: upstreams.open,
  });
}
