import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type DoctorFinding, DrydockError, type EffectivePolicy, type SandboxLoad } from "@drydock/protocol";
import type { Backend, BackendDescriptor, Reach } from "./backends/backend.ts";
import { chooseBackends, chooseFor, requireNamespaces } from "./backends/choose-backends.ts";
import { BACKEND_DESCRIPTORS } from "./backends/registry.ts";
import { removeRunDirectory } from "./collect-leftovers.ts";
import type { OwnServer } from "./egress/own-servers.ts";
import type { OpenUpstreams } from "./egress/upstream-server.ts";
import type { RawExecution } from "./execution.ts";
import { SYSTEM_PATH } from "./find-engine.ts";
import { createGate } from "./gate.ts";
import { createFleet } from "./members/fleet.ts";
import type { SpawnedForkServer } from "./members/spawn-fork-server.ts";
import type { Outcome } from "./outcome.ts";
import { createPreparer } from "./prepare.ts";
import { requirePython } from "./require-python.ts";
import type { RunRequest, RunSetup } from "./run-request.ts";
import type { SandboxSession, SessionLanguage } from "./session/live-session.ts";
import { MEMBER_LIMITS, type RunPlace } from "./start-fork-server-early.ts";
import { toRunOutcome } from "./to-run-outcome.ts";
import { rememberRules } from "./view/remember-rules.ts";
import { createViews, type Reading } from "./view/view.ts";
import type { TreeContents, Workbench } from "./worktree/worktree.ts";

export interface SandboxOptions extends RunPlace {
  kernel: string;
  /** Directories that no run sees, wherever its workspace is. */
  own: readonly string[];
  /** Servers that no run reaches, whatever its policy lets it reach. */
  ownServers?: readonly OwnServer[];
  /** What `~` stands for in the owner's policy. */
  userHome: string;
  warm: number;
  early?: SpawnedForkServer;
  /** Opens upstreams that policies name. Absent: there are none. */
  openUpstreams?: OpenUpstreams;
  /** Where container engines are looked for. Default: the system's directories. */
  searchPath?: string;
}

/** The one way to run anything: gate, execute, judge. */
export interface Sandbox {
  /** Waits for a turn, runs the work and judges what it did. Rejects if the work could not be started. */
  run(request: RunRequest): Promise<Outcome>;
  /** A live interpreter. Its steps are judged like runs; `sessions.live` limits sessions, not the gate. */
  openSession(request: RunSetup & { language: SessionLanguage }): Promise<SandboxSession>;
  /** What the first backend that the policy lets runs use reaches, starting it if need be. */
  probe(policy: EffectivePolicy): Promise<Pick<Reach, "level"> & { findings: DoctorFinding[] }>;
  /** The workspace as runs see it, for work on it that executes nothing. */
  openWorkbench(
    options: { workspace: string; policy: EffectivePolicy; contents: TreeContents } & Reading,
  ): Promise<Workbench>;
  /** What is under way, and ready. */
  load(): SandboxLoad;
  close(): Promise<void>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const rulesOf = rememberRules();
  const activity = { underWay: 0 };
  const isIdle = () => activity.underWay === 0;
  const fleetOptions = {
    ...options,
    memoryBytes: MEMBER_LIMITS.memoryBytes,
    diskBytes: MEMBER_LIMITS.diskBytes,
    isIdle,
  };
  const fleet = createFleet(fleetOptions);
  const views = createViews(options.cacheDirectory, options.own);
  const spool = mkdtempSync(join(options.directory, "spool-"));
  const preparer = createPreparer(options, views, rulesOf);
  const { searchPath = SYSTEM_PATH, early } = options;
  const isSingleRun = early !== undefined;
  const parts = { fleet, fleetOptions, searchPath, preparer, views, rulesOf, spool, isSingleRun, activity };
  const backends = new Map<BackendDescriptor, Backend>(
    BACKEND_DESCRIPTORS.map((descriptor) => [descriptor, descriptor.create(parts)]),
  );
  /** Those that this machine turned out not to have. */
  const missing = new Set<BackendDescriptor>();
  const gate = createGate();

  const backendOf = (descriptor: BackendDescriptor) => requireBackend(backends, descriptor);

  async function execute(request: RunRequest): Promise<RawExecution> {
    if (request.live) return backendOf(requireNamespaces(request.policy, "A wrapped program needs")).execute(request);
    const [first, ...others] = chooseFor(request);
    let chosen = first;
    for (const next of others) {
      try {
        if (!missing.has(chosen)) return await backendOf(chosen).execute(request);
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing.add(chosen);
      }
      chosen = next;
    }
    return backendOf(chosen).execute(request);
  }

  return {
    async probe(policy) {
      const [first] = chooseBackends(policy);
      const reach = await backendOf(first).probe();
      return { level: reach.level, findings: first.doctor.explainReach(reach) };
    },
    async run(request) {
      if (request.work.language === "python" && !request.trusted) requirePython(request.policy, request.rules);
      const { concurrency } = request.policy.limits;
      const leave = request.isService ? () => {} : await gate.enter(concurrency, request.signal);
      try {
        return await toRunOutcome(request.work, request.policy, await execute(request), request.rules);
      } finally {
        leave();
      }
    },
    async openSession(request) {
      if (request.language === "python") requirePython(request.policy);
      requireNamespaces(request.policy);
      return (await import("./session/open-session.ts")).openSession({ fleet, preparer, spool }, request);
    },
    openWorkbench: ({ workspace, policy, contents, ...reading }) =>
      views.openWorkbench({ workspace, rules: { ...rulesOf(policy), scope: policy.files.write }, contents }, reading),
    load: () => ({ ...gate.count(), pools: fleet.pools() }),
    async close() {
      for (const backend of backends.values()) await backend.close();
      await views.close();
      await preparer.close();
      removeRunDirectory(options.directory);
    },
  };
}

function requireBackend(backends: Map<BackendDescriptor, Backend>, descriptor: BackendDescriptor): Backend {
  const backend = backends.get(descriptor);
  if (!backend) throw new Error(`The backend ${descriptor.backend} was not created.`);
  return backend;
}

/** Nothing has run: another backend may take the run. */
function isMissing(error: unknown): boolean {
  return error instanceof DrydockError && error.code === "sandbox.unavailable" && error.data.missing !== undefined;
}
