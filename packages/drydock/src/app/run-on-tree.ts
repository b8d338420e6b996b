import { rm } from "node:fs/promises";
import type { DrydockError, EffectivePolicy, Layer } from "@drydock/protocol";
import type { TreeRun, TreeRunner, TreeRunResult } from "../engine/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { coversHost, pickEnvironment } from "../policy/index.ts";
import { type Execution, type Shelf, type TreeContents, withDrafts } from "../sandbox/index.ts";
import type { OutputChunk } from "./dock.ts";
import { asDrydockError, decodeOutput, type ExecPorts } from "./exec.ts";
import { judgeExecution } from "./judge-execution.ts";

export interface TreeRunnerOptions {
  /** The run that all of it belongs to, and that keeps the contents. It is on record already. */
  runId: string;
  /** As `resolveWorkspace` gives it. */
  workspace: string;
  policy: EffectivePolicy;
  onOutput?: (chunk: OutputChunk) => void;
  /** What each execution sees beside the tree. */
  shelves?: readonly Shelf[];
  environment?: Record<string, string>;
  /** What everybody should know of the executions is added to these. */
  notes?: Set<string>;
}

type Ports = Pick<ExecPorts, "ledger" | "sandbox" | "gate" | "environment" | "expect">;

const NO_USAGE = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };

/** The contents of a run's layers. */
export function createTreeContents({ blobs }: Pick<Ledger, "blobs">, runId: string): TreeContents {
  return {
    read: (sha256) => blobs.read(sha256),
    put: (bytes) => blobs.put(bytes, { runId }),
    putAll: (sources) => (sources.length === 0 ? Promise.resolve([]) : blobs.putAll(sources, { runId })),
    path: (sha256) => blobs.path(sha256),
  };
}

/**
 * Executions that are parts of one run, each in a fresh sandbox on a tree of its own. Whether a command may be run at all
 * was asked before; what it does is held by the policy, as everywhere. What the code, the policy or a limit did is a
 * result.
 */
export function createTreeRunner(ports: Ports, options: TreeRunnerOptions): TreeRunner {
  return {
    async run(request) {
      try {
        return await runOnTree(ports, options, request);
      } catch (error) {
        return refuse(asDrydockError(error), options.workspace, request.layer);
      }
    },
  };
}

async function runOnTree(ports: Ports, options: TreeRunnerOptions, request: TreeRun): Promise<TreeRunResult> {
  const { layer, drafts, command, language = "python", code = "", signal, stdin } = request;
  const work = command ? ({ language: "command", code: "", argv: command } as const) : { language, code };
  const policy = narrowPolicy(options.policy, request);
  const kept = createTreeContents(ports.ledger, options.runId);
  const contents = drafts ? withDrafts(kept, drafts) : kept;
  ports.expect(work);
  const leave = await ports.gate.enter(policy.limits.concurrency, signal);
  try {
    const execution = await ports.sandbox().execute({
      work,
      policy,
      workspace: options.workspace,
      admit: async () => {},
      environment: {
        ...pickEnvironment(policy.environment.allow, ports.environment),
        ...options.environment,
        ...request.environment,
      },
      stdin,
      signal,
      onOutput: options.onOutput && decodeOutput(options.onOutput),
      scope: request.scope,
      pin: request.pin,
      observe: request.observe,
      shelves: options.shelves,
      project: true,
      trusted: request.trusted,
      base: layer && layer.entries.length > 0 ? { layer, contents } : undefined,
    });
    for (const note of execution.notes ?? []) options.notes?.add(note);
    const judged = await judgeExecution(work, policy, execution);
    await keepContents(ports.ledger, options.runId, execution, request);
    return {
      ok: judged.error === null,
      stdout: judged.stdout.toString(),
      stderr: judged.stderr.toString(),
      result: judged.result,
      error: judged.error,
      exitCode: judged.exitCode,
      usage: judged.usage,
      layer: judged.layer,
      changedUnderneath: judged.layer.changedUnderneath,
      observed: execution.transcript.done?.observed,
    };
  } finally {
    leave();
  }
}

/** What was there before is kept already. */
async function keepContents(ledger: Ledger, runId: string, { transcript }: Execution, { layer, discard }: TreeRun) {
  const known = new Set(layer?.entries.map(({ sha256 }) => sha256));
  const fresh = [...transcript.contents].filter(([sha256]) => !known.has(sha256)).map(([, content]) => content);
  if (fresh.length > 0 && !discard) await ledger.blobs.putAll(fresh, { runId });
  // A run of many executions must not fill the disk with what each of them left on its way.
  const spooled = [...transcript.contents.values()].filter((content) => typeof content === "string");
  await Promise.all(spooled.map((path) => rm(path, { force: true })));
}

/** Only ever less: what a request adds to the policy is left out of it. */
function narrowPolicy(policy: EffectivePolicy, { timeoutSeconds, network = [] }: TreeRun): EffectivePolicy {
  return {
    ...policy,
    network: {
      ...policy.network,
      allow: network.filter((asked) => policy.network.allow.some((allowed) => coversHost(allowed, asked))),
    },
    limits: { ...policy.limits, wallSeconds: Math.min(timeoutSeconds, policy.limits.wallSeconds) },
  };
}

function refuse(error: DrydockError, workspace: string, layer: Layer | null): TreeRunResult {
  return {
    ok: false,
    stdout: "",
    stderr: "",
    result: null,
    error: error.toInfo(),
    exitCode: null,
    usage: NO_USAGE,
    layer: layer ?? {
      version: 1,
      workspace,
      baseHash: "",
      treeHash: "",
      entries: [],
      changedUnderneath: [],
      denied: [],
    },
    changedUnderneath: [],
  };
}
