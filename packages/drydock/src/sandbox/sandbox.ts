import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import { createBare } from "./backends/bare/create-bare.ts";
import { createNamespaces } from "./backends/namespaces/create-namespaces.ts";
import { removeRunDirectory } from "./collect-leftovers.ts";
import type { Work } from "./describe-work.ts";
import type { Execution } from "./execution.ts";
import type { Python } from "./find-python.ts";
import { createGate } from "./gate.ts";
import { judgeExecution } from "./judge-execution.ts";
import { createFleet, crewFor, type Fleet } from "./members/fleet.ts";
import type { SpawnedForkServer } from "./members/spawn-fork-server.ts";
import type { Outcome } from "./outcome.ts";
import { createPreparer } from "./prepare.ts";
import type { RunRequest, Surroundings } from "./run-request.ts";
import type { SandboxSession, SessionLanguage } from "./session/open-session.ts";
import { MEMBER_LIMITS } from "./start-early.ts";
import { rememberRules } from "./view/remember-rules.ts";
import { createViews, type Reading } from "./view/view.ts";
import type { TreeContents, Workbench } from "./worktree/worktree.ts";

export interface SandboxOptions {
  python: Python;
  node: string | null;
  kernel: string;
  /** Short, private, and recorded, so that a later start can collect it. */
  directory: string;
  cacheDirectory: string;
  /** Directories that no run sees, wherever its workspace is. */
  own: readonly string[];
  instance: string;
  /** What `~` stands for in the owner's policy. */
  userHome: string;
  warm: number;
  early?: SpawnedForkServer;
}

/** The one way to run anything: gate, execute, judge. */
export interface Sandbox {
  /** Announces work, so that a process wakes from idleness while the request is read. */
  expect(work: Work): void;
  /** Waits for a turn, runs the work and judges what it did. Rejects if the work could not be started. */
  run(request: RunRequest): Promise<Outcome>;
  /** A live interpreter. Its steps are judged like runs; `sessions.live` limits sessions, not the gate. */
  openSession(request: Surroundings & { language: SessionLanguage }): Promise<SandboxSession>;
  readonly fleet: Pick<Fleet, "probe" | "processIds">;
  /** The workspace as runs see it, for work on it that executes nothing. */
  openWorkbench(
    options: { workspace: string; policy: EffectivePolicy; contents: TreeContents } & Reading,
  ): Promise<Workbench>;
  close(): Promise<void>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const rulesOf = rememberRules();
  const isIdle = () => namespaces.isIdle();
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
  const isSingleRun = options.early !== undefined;
  const namespaces = createNamespaces({ fleet, preparer, rulesOf, spool, isSingleRun });
  const bareOptions = { fleet: fleetOptions, views, rulesOf, spool };
  const landlock = createBare("landlock", bareOptions);
  const unconfined = createBare("none", bareOptions);
  const gate = createGate();
  let withoutNamespaces = false;

  async function execute(request: RunRequest): Promise<Execution> {
    if (request.unconfined) return unconfined.execute(request);
    const acceptsLandlock = request.policy.sandbox.level === "landlock";
    if (acceptsLandlock && withoutNamespaces) return landlock.execute(request);
    try {
      return await namespaces.execute(request);
    } catch (error) {
      withoutNamespaces = error instanceof DrydockError && error.data.missing === "namespaces";
      if (!withoutNamespaces || !acceptsLandlock) throw error;
      return landlock.execute(request);
    }
  }

  return {
    fleet,
    expect: (work) => fleet.nudge(crewFor(work.language, work.code)),
    async run(request) {
      const leave = await gate.enter(request.policy.limits.concurrency, request.signal);
      try {
        return await judgeExecution(request.work, request.policy, await execute(request), request.rules);
      } finally {
        leave();
      }
    },
    async openSession(request) {
      const { openSession } = await import("./session/open-session.ts");
      return openSession({ fleet, preparer, spool }, request);
    },
    openWorkbench: ({ workspace, policy, contents, ...reading }) =>
      views.openWorkbench({ workspace, rules: { ...rulesOf(policy), scope: policy.files.write }, contents }, reading),
    async close() {
      await namespaces.close();
      await landlock.close();
      await unconfined.close();
      await views.close();
      await preparer.close();
      removeRunDirectory(options.directory);
    },
  };
}
