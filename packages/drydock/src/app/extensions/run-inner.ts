import { rm } from "node:fs/promises";
import type { ArtifactRef, EffectivePolicy, Layer } from "@drydock/protocol";
import { type InnerResult, type InnerRun, timedOut } from "../../extensions/index.ts";
import type { Ledger, NewEvent } from "../../ledger/index.ts";
import { coversHost } from "../../policy/index.ts";
import type { Execution, Work } from "../../sandbox/index.ts";
import type { OutputChunk } from "../dock.ts";
import { asDrydockError, decodeOutput, type ExecPorts } from "../exec.ts";
import { judgeExecution } from "../judge-execution.ts";
import { keepLayerBases } from "../keep-bases.ts";
import { createTreeContents } from "../run-on-tree.ts";
import { recordOutput, storeArtifacts } from "../settle-execution.ts";

export interface InnerRunnerOptions {
  /** Puts the run on record, and tells its id; what it did once it does not again. */
  admit: () => Promise<string>;
  policy: EffectivePolicy;
  /** What may be asked for at most. */
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

type Ports = Pick<ExecPorts, "ledger" | "sandbox" | "gate" | "expect">;

const NO_USAGE = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };

/**
 * Executions that are parts of one capability's run, each in a fresh sandbox that finds the changes of those before. What
 * the code, the policy or a limit did is a result; so is a sandbox that can't be had.
 */
export function createInnerRunner(ports: Ports, options: InnerRunnerOptions): InnerRunner {
  const { ledger } = ports;
  const events: NewEvent[] = [];
  let layer: Layer | null = null;

  async function run(asked: InnerRun): Promise<InnerResult> {
    const work = toWork(asked);
    if (work.argv) options.checkCommand(work.argv);
    ports.expect(work);
    const policy = fitPolicy(options, asked);
    const leave = await ports.gate.enter(policy.limits.concurrency, options.signal);
    try {
      const execution = await ports.sandbox().execute({
        work,
        policy,
        workspace: options.workspace,
        scope: options.workspace === null ? undefined : options.scope,
        visible: options.workspace === null ? undefined : options.visible,
        admit: options.admit,
        environment: { ...options.environment, ...asked.environment },
        stdin: asked.stdin,
        signal: options.signal,
        onOutput: asked.quiet || !options.onOutput ? undefined : decodeOutput(options.onOutput),
        shelves: asked.shelves,
        base: layer ? { layer, contents: createTreeContents(ledger, await options.admit()) } : undefined,
      });
      return await settle(asked, work, policy, execution);
    } finally {
      leave();
    }
  }

  async function settle(asked: InnerRun, work: Work, policy: EffectivePolicy, execution: Execution) {
    const runId = await options.admit();
    const judged = await judgeExecution(work, policy, execution);
    const { stdout, stderr, exitCode } = judged;
    const { network, transcript } = execution;
    const nothing = Buffer.alloc(0);
    let artifacts: ArtifactRef[] = [];
    if (judged.layer.entries.length > 0 || transcript.figures.length > 0) {
      artifacts = await storeArtifacts(ledger, runId, execution, judged.layer, nothing, nothing);
    }
    await keepContents(ledger, runId, execution);
    if (judged.layer.entries.length > 0 || layer) layer = judged.layer;
    if (!asked.quiet && stdout.length + stderr.length > 0) {
      events.push(recordOutput(ledger, { stdout: stdout.toString(), stderr: stderr.toString() }));
    }
    for (const refused of network.refused) events.push({ type: "network.refused", data: refused });
    for (const connected of network.connected) events.push({ type: "network.connected", data: connected });
    for (const artifact of artifacts) events.push({ type: "artifact.stored", data: artifact });
    const isFine = judged.error?.code === "code.exit" && asked.okExitCodes?.includes(exitCode ?? -1) === true;
    const isLate = judged.error?.code === "limit.timeout";
    const error = isFine ? null : isLate ? timedOut(policy.limits.wallSeconds).toInfo() : judged.error;
    return {
      ...{ ok: error === null, stdout, stderr, exitCode, error, artifacts },
      result: judged.result,
      refused: network.refused,
      usage: judged.usage,
      notes: judged.notes,
    };
  }

  return {
    async exec(asked) {
      try {
        return await run(asked);
      } catch (error) {
        const nothing = Buffer.alloc(0);
        const told = { ok: false, stdout: nothing, stderr: nothing, result: null, exitCode: null, artifacts: [] };
        return { ...told, error: asDrydockError(error).toInfo(), refused: [], usage: NO_USAGE, notes: [] };
      }
    },
    async conclude() {
      if (layer && layer.entries.length > 0) events.push(await recordLayer(ledger, await options.admit(), layer));
      return { events, layer };
    },
  };
}

function toWork({ command, language = "python", code = "", filename, args }: InnerRun): Work {
  return command ? { language: "command", code: "", argv: command } : { language, code, filename, args };
}

/** Never more hosts than were granted; more of a limit only where the runner can't do without, and within the ceiling. */
function fitPolicy({ policy, ceiling }: InnerRunnerOptions, { network, limits = {} }: InnerRun): EffectivePolicy {
  if (!network && Object.keys(limits).length === 0) return policy;
  const allow = network?.filter((host) => policy.network.allow.some((allowed) => coversHost(allowed, host)));
  const needed = (["memoryMb", "processes", "openFiles"] as const).map((key) => {
    const wanted = Math.min(limits[key] ?? 0, ceiling.limits[key]);
    return [key, Math.max(policy.limits[key], wanted)];
  });
  return {
    ...policy,
    network: { allow: allow ?? policy.network.allow },
    limits: { ...policy.limits, ...Object.fromEntries(needed) },
  };
}

async function keepContents(ledger: Ledger, runId: string, { transcript }: Execution): Promise<void> {
  const contents = [...transcript.contents.values()];
  if (contents.length === 0) return;
  await ledger.blobs.putAll(contents, { runId });
  const spooled = contents.filter((content) => typeof content === "string");
  await Promise.all(spooled.map((path) => rm(path, { force: true })));
}

async function recordLayer(ledger: Ledger, runId: string, layer: Layer): Promise<NewEvent> {
  await keepLayerBases(ledger, runId, layer);
  const blob = await ledger.blobs.put(Buffer.from(JSON.stringify(layer)), { runId });
  const { baseHash, treeHash, denied, changedUnderneath, entries } = layer;
  const few = { denied: denied.slice(0, 50), changedUnderneath: changedUnderneath.slice(0, 50) };
  return { type: "layer.captured", data: { layer: blob.sha256, entries: entries.length, baseHash, treeHash, ...few } };
}
