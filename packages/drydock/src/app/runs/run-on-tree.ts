import type { EffectivePolicy } from "@drydock/protocol";
import type { TreeRun, TreeRunner, TreeRunResult } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { narrowPolicy, pickEnvironment } from "../../policy/index.ts";
import { type Mount, type Outcome, refusedOutcome, type TreeContents, withDrafts } from "../../sandbox/index.ts";
import type { OutputChunk } from "./api.ts";
import { decodeOutput } from "./decode-output.ts";
import type { ExecPorts } from "./exec-ports.ts";
import { dropContents, keepContents } from "./record/record-layer.ts";
import { asDrydockError } from "./refuse-run.ts";

export interface TreeRunnerOptions {
  /** The run that all of it belongs to, and that keeps the contents. It is on record already. */
  runId: string;
  /** As `resolveWorkspace` gives it. */
  workspace: string;
  policy: EffectivePolicy;
  onOutput?: (chunk: OutputChunk) => void;
  /** What each execution sees beside the tree. */
  mounts?: readonly Mount[];
  environment?: Record<string, string>;
  /** Notes about the setup of the executions are added here. */
  notes?: Set<string>;
}

type Ports = Pick<ExecPorts, "ledger" | "sandbox" | "environment">;

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
 * Executions that are parts of one run, each in a fresh sandbox on a tree of its own. The caller has checked that the
 * command is allowed; the policy limits what it does, as everywhere. What the code, the policy or a limit did is a
 * result.
 */
export function createTreeRunner(ports: Ports, options: TreeRunnerOptions): TreeRunner {
  return {
    async run(request) {
      try {
        return toTreeResult(await runOnTree(ports, options, request));
      } catch (error) {
        const { workspace } = options;
        return toTreeResult(refusedOutcome(asDrydockError(error), { workspace, layer: request.layer }));
      }
    },
  };
}

async function runOnTree(ports: Ports, options: TreeRunnerOptions, request: TreeRun): Promise<Outcome> {
  const { layer, drafts, command, language = "python", code = "", signal, stdin } = request;
  const work = command ? ({ language: "command", code: "", argv: command } as const) : { language, code };
  // Without hosts of its own a run reaches none.
  const { network: hosts = [], timeoutSeconds: wallSeconds } = request;
  const policy = narrowPolicy(options.policy, { hosts, wallSeconds });
  const kept = createTreeContents(ports.ledger, options.runId);
  const contents = drafts ? withDrafts(kept, drafts) : kept;
  const outcome = await ports.sandbox().run({
    work,
    policy,
    workspace: options.workspace,
    environment: {
      ...pickEnvironment(policy.environment.allow, ports.environment),
      ...options.environment,
      ...request.environment,
    },
    stdin,
    signal,
    onOutput: listenTo(options, request),
    scope: request.scope,
    pin: request.pin,
    observe: request.observe,
    aside: request.aside,
    forks: request.forks,
    mounts: options.mounts,
    project: true,
    trusted: request.trusted,
    base: layer && layer.entries.length > 0 ? { layer, contents } : undefined,
  });
  for (const note of outcome.setupNotes) options.notes?.add(note);
  if (request.discard) await dropContents(outcome);
  else {
    const known = new Set(layer?.entries.map(({ sha256 }) => sha256));
    await keepContents(ports.ledger, options.runId, outcome, known);
  }
  return outcome;
}

function listenTo({ onOutput }: TreeRunnerOptions, { onStdout }: TreeRun) {
  if (!onStdout) return onOutput && decodeOutput(onOutput);
  return decodeOutput((chunk) => {
    onOutput?.(chunk);
    if (chunk.stream === "stdout") onStdout(chunk.text);
  });
}

function toTreeResult(outcome: Outcome): TreeRunResult {
  const { result, error, exitCode, usage, layer, observed, touched } = outcome;
  const texts = { stdout: outcome.stdout.toString(), stderr: outcome.stderr.toString() };
  const { changedUnderneath } = layer;
  return { ok: error === null, ...texts, result, error, exitCode, usage, layer, changedUnderneath, observed, touched };
}
