import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DrydockError, type EffectivePolicy, type ErrorInfo, type Layer, type SandboxReport } from "@drydock/protocol";
import { matchHost } from "../policy/index.ts";
import { checkBareRun, createBareRuns, LANDLOCK_NOTES, UNCONFINED_NOTES } from "./bare/bare-runs.ts";
import { BASE_ENVIRONMENT } from "./base-environment.ts";
import { checkLevel } from "./check-level.ts";
import { removeRunDirectory } from "./collect-leftovers.ts";
import { describeWork, isPlain, type Work } from "./describe-work.ts";
import type { EgressProxy } from "./egress/index.ts";
import type { Input } from "./feed-input.ts";
import type { Python } from "./find-python.ts";
import { createFleet, crewFor, type Fleet } from "./fleet.ts";
import { TO_WARDEN } from "./members/frames.ts";
import type { Member } from "./members/member.ts";
import type { Confinement, SpawnedForkServer } from "./members/spawn-fork-server.ts";
import { cancelledBeforeStart, openView, type ViewOptions } from "./open-view.ts";
import { listOwnModules } from "./own-modules.ts";
import { rememberRules } from "./remember-rules.ts";
import type { Shelf } from "./resolve-shelves.ts";
import { type Attention, attendMember, type Transcript } from "./run-on-member.ts";
import { type Seed, sendSeed } from "./send-seed.ts";
import { MEMBER_BYTES } from "./start-early.ts";
import { createViews, type Reading, type View } from "./view.ts";
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
  warm: number;
  early?: SpawnedForkServer;
}

export interface ExecuteOptions {
  work: Work;
  policy: EffectivePolicy;
  /** As `resolveWorkspace` gives it. */
  workspace: string | null;
  environment: Record<string, string>;
  /**
   * Puts the run on record. Called once everything is ready and before the code is handed over: nothing runs that is not
   * recorded, and the member gets ready meanwhile. May be called again, and then does nothing.
   */
  admit: () => Promise<unknown>;
  stdin?: Input;
  signal?: AbortSignal;
  onOutput?: Attention["onOutput"];
  /** Told while a workspace is read that was not seen before, or has changed. */
  onReading?: Reading["onProgress"];
  /** Without a sandbox. The caller has checked that the policy allows it. */
  unconfined?: boolean;
  /** What may be changed, where that is less than the policy lets it. */
  scope?: readonly string[];
  /** What the run sees of the workspace, where that is less than the policy shows. */
  visible?: readonly string[];
  /** What lies on the workspace when the run begins; what is captured then holds it, too. */
  base?: Seed;
  /** Directories that the run sees beside its own, read-only. */
  shelves?: readonly Shelf[];
  /** Files of the workspace that nothing in the run can change, replace or move away. */
  pin?: readonly string[];
  /** Whether the files that each program asks for are noted. Only where there are namespaces. */
  observe?: boolean;
}

export interface Execution {
  transcript: Transcript;
  report: SandboxReport;
  view: View;
  /** The layer that the run started from. */
  base?: Layer;
  network: NetworkUse;
  /** What is wrong although the code itself ended well. */
  complaint?: ErrorInfo;
  /** What everybody should know of a run that was held by less than usual. */
  notes?: readonly string[];
}

/** What went through the proxy, and what was not let through. */
export interface NetworkUse {
  refused: { host: string; port: number; reason: string }[];
  connected: { host: string; port: number; bytesUp: number; bytesDown: number }[];
}

const PROXY_PORT = 3128;
const _MB = 1024 * 1024;
const MAX_NETWORK_NOTES = 100;
const UNHEARD_MS = 1000;
/** One death seldom comes alone: within this time we have heard of the others. */
const NEWS_MS = 50;

/** The one door: whatever runs, runs here. */
export interface Sandbox {
  /** Wakes a member for a run of this work that is about to start: waking takes longer than anything else about the run. */
  expect(work: Work): void;
  execute(options: ExecuteOptions): Promise<Execution>;
  readonly fleet: Fleet;
  /** For contents too large for memory; gone with the sandbox. */
  readonly spool: string;
  /** For sessions: everything of an execution but the run itself. */
  prepare(
    options: Pick<ExecuteOptions, "policy" | "workspace" | "environment" | "shelves" | "signal" | "onReading">,
  ): Promise<Preparation>;
  /** The workspace as runs see it, for whoever works on it without running anything. */
  openWorkbench(
    options: { workspace: string; policy: EffectivePolicy; contents: TreeContents } & Reading,
  ): Promise<Workbench>;
  close(): Promise<void>;
}

export interface Preparation {
  view: View;
  network: NetworkUse;
  /** The part of a request that is the warden's. */
  warden: Record<string, unknown>;
  environment: Record<string, string>;
  release(): void;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const rulesOf = rememberRules();
  const isIdle = () => underWay === 0;
  const fleetOptions = { ...options, memoryBytes: MEMBER_BYTES, diskBytes: MEMBER_BYTES, isIdle };
  const fleet = createFleet(fleetOptions);
  const bare = createBareRuns(fleetOptions);
  const views = createViews(options.cacheDirectory, options.own);
  const spool = mkdtempSync(join(options.directory, "spool-"));
  let egress: Promise<EgressProxy> | undefined;
  let withoutNamespaces = false;
  let underWay = 0;

  async function prepare(
    request: ViewOptions & Pick<ExecuteOptions, "environment" | "shelves" | "pin">,
  ): Promise<Preparation> {
    const { policy, environment, shelves = [], pin = [] } = request;
    const placed = shelves.length > 0 ? await placeShelves(shelves) : undefined;
    const view = await openView(views, request, rulesOf);
    const network: NetworkUse = { refused: [], connected: [] };
    const warden: Record<string, unknown> = { skip: [], shelves: placed };
    const variables: Record<string, string> = { ...BASE_ENVIRONMENT, ...environment };
    if (view.workspace) warden.workspace = { path: view.workspace, hide: view.hide, protect: view.protect, pin };
    let release = () => {};
    if (policy.network.allow.length > 0) {
      const { createEgressProxy, proxyEnvironment } = await import("./egress/index.ts");
      egress ??= createEgressProxy({ directory: options.directory });
      const proxy = await egress;
      const grant = proxy.admit({
        allow: policy.network.allow,
        match: (host, port) => matchHost(policy.network.allow, host, port),
        onRefused: (host, port, reason) => {
          if (network.refused.length < MAX_NETWORK_NOTES) network.refused.push({ host, port, reason });
        },
        onConnected: (host, port, bytesUp, bytesDown) => {
          if (network.connected.length < MAX_NETWORK_NOTES) network.connected.push({ host, port, bytesUp, bytesDown });
        },
      });
      release = () => grant.revoke();
      warden.network = { socket: proxy.socketPath, token: grant.token };
      Object.assign(variables, proxyEnvironment(PROXY_PORT, policy.network.allow));
    }
    return { view, network, warden, environment: variables, release };
  }

  /** Loaded when a run has some, which is seldom. */
  async function placeShelves(shelves: readonly Shelf[]): Promise<Shelf[]> {
    const { resolveShelves } = await import("./resolve-shelves.ts");
    return resolveShelves(shelves, options.own);
  }

  async function runOn(execution: ExecuteOptions, prepared: Preparation): Promise<Execution> {
    const { work, policy } = execution;
    const crew = crewFor(work.language, work.code, prepared.environment);
    // While a member is being made there is time to put the run on record.
    if (!fleet.isReady(crew)) execution.admit().catch(() => {});
    const own = crew === "data" ? listOwnModules(prepared.view.workspace, work.filename, execution.base?.layer) : [];
    const { member, level, refill } = await fleet.take(crew, own);
    underWay++;
    try {
      checkLevel(level, policy);
      if (execution.signal?.aborted) throw cancelledBeforeStart();
      const request = {
        ...prepared.warden,
        input: execution.stdin !== undefined,
        seed: execution.base && true,
        code: describeWork(work, policy, prepared.environment, execution.observe),
      };
      const kind = isPlain(request) && crew !== "node" ? TO_WARDEN.plain : TO_WARDEN.request;
      member.send([kind, JSON.stringify(request)]);
      if (execution.base) await sendSeed(member, execution.base, rulesOf(policy).hidden, execution.signal);
      if (execution.signal?.aborted) throw cancelledBeforeStart();
      await execution.admit();
      member.send([TO_WARDEN.code, Buffer.from(work.code.toWellFormed())]);
      const transcript = await attendMember(member, { ...execution, spool });
      const { view, network } = prepared;
      return { transcript, report: { backend: "namespaces", level }, view, base: execution.base?.layer, network };
    } finally {
      member.close();
      underWay--;
      setImmediate(refill);
    }
  }

  async function runBare(execution: ExecuteOptions, confinement: Confinement): Promise<Execution> {
    const { work, policy, shelves = [] } = execution;
    checkBareRun(confinement, policy, shelves);
    const view = await openView(views, execution, rulesOf);
    const request = {
      skip: [],
      workspace: view.workspace ? { path: view.workspace, hide: view.hide } : undefined,
      input: execution.stdin !== undefined,
      seed: execution.base && true,
      code: describeWork(work, policy, execution.environment),
    };
    const code = { language: work.language, text: work.code };
    await execution.admit();
    const { base } = execution;
    const hidden = rulesOf(policy).hidden;
    const seed = base && ((member: Member) => sendSeed(member, base, hidden, execution.signal));
    const transcript = await bare.run({ ...execution, confinement, code, request, spool, seed });
    const outcome = { transcript, view, base: base?.layer, network: { refused: [], connected: [] } };
    return confinement === "landlock"
      ? { ...outcome, report: { backend: "namespaces", level: "landlock" }, notes: LANDLOCK_NOTES }
      : { ...outcome, report: { backend: "unconfined", level: "none" }, notes: UNCONFINED_NOTES };
  }

  return {
    fleet,
    spool,
    prepare,
    openWorkbench: ({ workspace, policy, contents, ...reading }) =>
      views.openWorkbench({ workspace, rules: { ...rulesOf(policy), scope: policy.files.write }, contents }, reading),
    expect: (work) => fleet.nudge(crewFor(work.language, work.code)),
    async execute(execution) {
      if (execution.unconfined) return runBare(execution, "none");
      const acceptsLandlock = execution.policy.sandbox.level === "landlock";
      if (acceptsLandlock && withoutNamespaces) return runBare(execution, "landlock");
      const prepared = await prepare(execution);
      try {
        const since = performance.now();
        const first = await runOn(execution, prepared);
        const unheard = performance.now() - since < UNHEARD_MS && isUnheard(first, execution);
        // A server that was started for this one run ends while its result is put on record.
        if (!unheard && options.early) void fleet.close();
        if (!unheard) return first;
        await pause(NEWS_MS);
        return await runOn(execution, prepared);
      } catch (error) {
        withoutNamespaces = error instanceof DrydockError && error.data.missing === "namespaces";
        if (!withoutNamespaces || !acceptsLandlock) throw error;
        return await runBare(execution, "landlock");
      } finally {
        prepared.release();
      }
    },
    async close() {
      await fleet.close();
      await bare.close();
      await views.close();
      if (egress) await (await egress).close();
      removeRunDirectory(options.directory);
    },
  };
}

/**
 * A member that was dead before anybody noticed takes a request with it. Where nothing of it was heard, by us or by the
 * network, and its input can be given again, nobody can tell a second try from a first.
 */
function isUnheard({ transcript, network }: Execution, { stdin, signal }: ExecuteOptions): boolean {
  if (transcript.done !== null || signal?.aborted) return false;
  if (stdin !== undefined && typeof stdin !== "string" && !(stdin instanceof Uint8Array)) return false;
  const heard = [transcript.stdout, transcript.stderr, transcript.figures, transcript.changes];
  return [...heard, network.refused, network.connected].every((list) => list.length === 0);
}
