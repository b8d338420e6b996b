import { DrydockError, type ExecResult } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { pickEnvironment, type ResolvedPolicy } from "../../policy/index.ts";
import type { Mount, Work } from "../../sandbox/index.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import { type ExecPorts, nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import type { Control } from "../runs/open-control.ts";
import { keepOutput } from "../runs/record/keep-output.ts";
import { recordInput } from "../runs/record/record-input.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import type { ExecOptions } from "./api.ts";
import { describeRequest, prepareExec } from "./prepare-exec.ts";
import { titleOf } from "./read-request.ts";

/** Most runs have no input. */
const loadRememberInput = () => import("./remember-input.ts");

/** Options for other use cases only. They are not part of a request, so that no caller outside can set them. */
export interface ExecExtras {
  mounts?: readonly Mount[];
  /** Variables that Drydock sets itself, in addition to those that the policy allows. */
  environment?: Record<string, string>;
  /** A process that serves others for as long as it lasts: it waits for no turn, and its owner bounds how many there are. */
  isService?: boolean;
  /** Why it can't run at all. The run is recorded with this error. */
  refusal?: DrydockError;
  /** The run that this one repeats. */
  replayOf?: string;
  /** The run on record that this process has claimed as a worker, in the place of a new one. */
  claimed?: string;
}

/** One execution, from the request to its record. Rejects for a request that can't be read; everything else is a result. */
export async function execute(ports: ExecPorts, options: ExecOptions, extras: ExecExtras = {}): Promise<ExecResult> {
  const { request, work, workspace, resolved, refusal: refused } = await prepareExec(ports, options);
  const refusal = extras.refusal ?? refused;
  const admit = once(async () => {
    if (extras.claimed !== undefined) return startClaimed(ports.ledger, extras.claimed);
    const { request: described, longCode } = describeRequest(ports.ledger, request, work);
    const data = {
      policy: resolved?.effective ?? null,
      request: described,
      ...(extras.mounts && { shelves: extras.mounts }), // the key that ledgers already hold
      ...nameParent(options),
      ...nameReplayed(extras),
      ...(options.onStarted && { hears: ["cancel"] }),
    };
    const title = extras.replayOf === undefined ? titleOf(ports.ledger, work) : titleOfReplay(extras.replayOf);
    const { id } = await ports.ledger.createRun({ kind: "exec", title, workspace, data });
    if (longCode) await ports.ledger.blobs.put(longCode, { runId: id });
    return id;
  });
  let control: Control | undefined;
  try {
    // With `onStarted` the run is recorded before the sandbox is ready; otherwise both happen in parallel.
    if (options.onStarted || extras.claimed !== undefined) {
      const { openControl } = await import("../runs/open-control.ts");
      control = openControl(ports.ledger, extras.claimed ?? (await admit()), options.signal);
      options.onStarted?.(await admit());
    }
    if (refusal || !resolved) throw refusal;
    const followed = control ? { ...options, signal: control.signal } : options;
    return await runAdmitted(ports, admit, work, resolved, workspace, followed, extras);
  } catch (error) {
    // It is no end of the run that its record could not be reached: another attempt will say how it ends.
    if (extras.claimed !== undefined && isOutOfReach(error)) throw error;
    const refused = await refuseRun(ports.ledger, await admit(), asDrydockError(error));
    ports.ledger.unfinished.drop(refused.runId);
    return refused;
  } finally {
    control?.close();
  }
}

async function runAdmitted(
  ports: ExecPorts,
  admit: () => Promise<string>,
  work: Work,
  resolved: ResolvedPolicy,
  workspace: string | null,
  options: ExecOptions,
  extras: ExecExtras,
): Promise<ExecResult> {
  const { ledger } = ports;
  const policy = resolved.effective;
  const kept = keepOutput(ledger, admit);
  // What a process that serves was told is not one input, and is never repeated.
  const isKept = options.stdin !== undefined && !extras.isService;
  const remembered = isKept ? (await loadRememberInput()).rememberInput(options.stdin ?? "") : null;
  const input = recordInput(ledger, admit, { ...options, stdin: remembered?.source ?? options.stdin });
  const listener = options.onOutput && decodeOutput(options.onOutput);
  try {
    const outcome = await ports.sandbox().run({
      work,
      policy,
      workspace,
      admit,
      environment: { ...pickEnvironment(policy.environment.allow, ports.environment), ...extras.environment },
      stdin: input.stdin,
      onInput: input.onInput,
      signal: options.signal,
      onOutput: (stream, bytes) => {
        kept.add(stream, bytes);
        listener?.(stream, bytes);
      },
      onReading: options.onReading,
      unconfined: options.unconfined,
      mounts: extras.mounts,
      isService: extras.isService,
      rules: resolved,
      project: true,
      reuseFor: Object.keys(extras).length === 0 ? nameCaller(ports, options) : undefined,
    });
    const runId = await admit();
    const { result, events, terminal } = await recordOutcome(ledger, runId, outcome);
    if (remembered) Object.assign(terminal.data, await remembered.keep(ledger, runId));
    await ledger.finish(runId, terminal, [...events, ...input.events()]);
    kept.drop();
    return { runId, ...result };
  } finally {
    kept.stop();
  }
}

/** The caller. A part of another run belongs to that run's caller, who is not known here. */
function nameCaller(ports: ExecPorts, { caller, parentRunId }: ExecOptions): string | undefined {
  return parentRunId === undefined ? (caller ?? ports.caller) : undefined;
}

/** From here on something may have been done: whoever takes the run over finds that on record. */
async function startClaimed(ledger: Ledger, runId: string): Promise<string> {
  await ledger.append(runId, [{ type: "run.started", data: {} }]);
  return runId;
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof DrydockError && error.code === "ledger.unavailable";
}

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}
