import type { ArtifactRef, EffectivePolicy, Layer } from "@drydock/protocol";
import { type InnerResult, type InnerRun, timeoutError } from "../../extensions/index.ts";
import type { NewEvent } from "../../ledger/index.ts";
import { narrowPolicy, raiseLimits } from "../../policy/index.ts";
import { type Outcome, refusedOutcome, type Work } from "../../sandbox/index.ts";
import type { OutputChunk } from "../runs/api.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { keepContents, recordLayer } from "../runs/record/record-layer.ts";
import { recordUse } from "../runs/record/record-outcome.ts";
import { recordOutput } from "../runs/record/record-output.ts";
import { storeArtifacts } from "../runs/record/store-artifacts.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";

export interface InnerRunnerOptions {
  /** Records the run and returns its id. Later calls return the same id. */
  admit: () => Promise<string>;
  policy: EffectivePolicy;
  /** The maximum of a request. */
  ceiling: EffectivePolicy;
  /** As `resolveWorkspace` gives it, or the extension's own work directory; null: an empty one. */
  workspace: string | null;
  scope?: readonly string[];
  visible?: readonly string[];
  /** Variables that were granted, with their values. */
  environment: Record<string, string>;
  /** Throws where the extension may not start this program. */
  checkCommand: (argv: readonly string[]) => void;
  signal: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
}

export interface InnerRunner {
  exec(run: InnerRun): Promise<InnerResult>;
  /** What the executions leave for the record, in order. Called once, when all is done. */
  conclude(): Promise<{ events: NewEvent[]; layer: Layer | null }>;
}

type Ports = Pick<ExecPorts, "ledger" | "sandbox">;

/**
 * Executions that are parts of one capability's run, each in a fresh sandbox that finds the changes of those before. What
 * the code, the policy or a limit did is a result; so is a sandbox that can't be had.
 */
export function createInnerRunner(ports: Ports, options: InnerRunnerOptions): InnerRunner {
  const { ledger } = ports;
  const events: NewEvent[] = [];
  let layer: Layer | null = null;

  async function run(request: InnerRun): Promise<InnerResult> {
    const work = toSandboxWork(request);
    if (work.argv) options.checkCommand(work.argv);
    const policy = fitPolicy(options, request);
    const outcome = await ports.sandbox().run({
      work,
      policy,
      workspace: options.workspace,
      scope: options.workspace === null ? undefined : options.scope,
      visible: options.workspace === null ? undefined : options.visible,
      admit: options.admit,
      environment: { ...options.environment, ...request.environment },
      stdin: request.stdin,
      signal: options.signal,
      onOutput: request.quiet || !options.onOutput ? undefined : decodeOutput(options.onOutput),
      mounts: request.mounts,
      base: layer ? { layer, contents: createTreeContents(ledger, await options.admit()) } : undefined,
    });
    const artifacts = await keep(outcome, request.quiet === true);
    return toInnerResult(outcome, artifacts, request, policy);
  }

  async function keep(outcome: Outcome, quiet: boolean): Promise<ArtifactRef[]> {
    const runId = await options.admit();
    const { stdout, stderr } = outcome;
    const nothing = Buffer.alloc(0);
    // Output is the capability's answer, and is stored with that.
    const printless = { ...outcome, stdout: nothing, stderr: nothing };
    const artifacts = await storeArtifacts(ledger, runId, printless).finally(() =>
      keepContents(ledger, runId, outcome),
    );
    if (outcome.layer.entries.length > 0 || layer) layer = outcome.layer;
    if (!quiet && stdout.length + stderr.length > 0) {
      events.push(recordOutput(ledger, { stdout: stdout.toString(), stderr: stderr.toString() }));
    }
    events.push(...recordUse(outcome, artifacts));
    return artifacts;
  }

  return {
    async exec(request) {
      try {
        return await run(request);
      } catch (error) {
        return toInnerResult(refusedOutcome(asDrydockError(error)), [], request, options.policy);
      }
    },
    async conclude() {
      if (layer && layer.entries.length > 0) events.push(await recordLayer(ledger, await options.admit(), layer));
      return { events, layer };
    },
  };
}

function toSandboxWork({ command, language = "python", code = "", filename, args }: InnerRun): Work {
  return command ? { language: "command", code: "", argv: command } : { language, code, filename, args };
}

/** Fewer hosts than were granted, or more of a limit where the runner can't do without and the ceiling allows it. */
function fitPolicy({ policy, ceiling }: InnerRunnerOptions, { network, limits = {} }: InnerRun): EffectivePolicy {
  const narrowed = network ? narrowPolicy(policy, { hosts: network }) : policy;
  return Object.keys(limits).length === 0 ? narrowed : raiseLimits(narrowed, ceiling, limits);
}

function toInnerResult(outcome: Outcome, artifacts: ArtifactRef[], request: InnerRun, { limits }: EffectivePolicy) {
  const { stdout, stderr, result, exitCode, network, usage, notes } = outcome;
  const isAccepted = outcome.error?.code === "code.exit" && request.okExitCodes?.includes(exitCode ?? -1) === true;
  const isLate = outcome.error?.code === "limit.timeout";
  const error = isAccepted ? null : isLate ? timeoutError(limits.wallSeconds).toInfo() : outcome.error;
  const { refused } = network;
  return { ok: error === null, stdout, stderr, result, exitCode, error, artifacts, refused, usage, notes };
}
