import { hash } from "node:crypto";
import { DrydockError, type ExecRequest, type ExecResult } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import {
  loadShellCheck,
  permitsCommand,
  permitsEveryCommand,
  pickEnvironment,
  type ResolvedPolicy,
  withoutGuard,
} from "../../policy/index.ts";
import { type Mount, resolveWorkspace, type Work } from "../../sandbox/index.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import { type ExecPorts, nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import type { Control } from "../runs/open-control.ts";
import { cutRedacted } from "../runs/record/cut-redacted.ts";
import { keepOutput } from "../runs/record/keep-output.ts";
import { toKeptText } from "../runs/record/kept-content.ts";
import { recordInput } from "../runs/record/record-input.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import type { ExecOptions } from "./api.ts";
import { commandDeniedError } from "./command-denied.ts";
import { readRequest, titleOf, toSandboxWork } from "./read-request.ts";

/** Most runs have no input. */
const loadRememberInput = () => import("./remember-input.ts");

const INLINE_CODE_CHARS = 64 * 1024;

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
}

/** One execution, from the request to its record. Rejects for a request that can't be read; everything else is a result. */
export async function execute(ports: ExecPorts, options: ExecOptions, extras: ExecExtras = {}): Promise<ExecResult> {
  const request = await readRequest(options);
  const work = toSandboxWork(request);
  const workspace = request.workspace === undefined ? null : resolveWorkspace(request.workspace, ports.own);
  let resolved: ResolvedPolicy | undefined;
  let refusal = extras.refusal;
  try {
    resolved = await ports.policies.resolve({
      workspace,
      request: request.unsafe ? withoutGuard(request.policy) : request.policy,
    });
    await checkAllowed(resolved, work, request);
  } catch (error) {
    refusal ??= asDrydockError(error);
  }
  const admit = once(async () => {
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
    if (options.onStarted) {
      const { openControl } = await import("../runs/open-control.ts");
      control = openControl(ports.ledger, await admit(), options.signal);
      options.onStarted(await admit());
    }
    if (refusal || !resolved) throw refusal;
    const followed = control ? { ...options, signal: control.signal } : options;
    return await runAdmitted(ports, admit, work, resolved, workspace, followed, extras);
  } catch (error) {
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

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}

/** The same list holds for a command and for each command in bash code. */
async function checkAllowed(resolved: ResolvedPolicy, work: Work, request: ExecRequest): Promise<void> {
  const { effective } = resolved;
  const { commands } = effective;
  if (request.workspace !== undefined && !effective.files.access) {
    throw new DrydockError(
      "policy.path_denied",
      "The policy gives runs no access to files (files.access: false).",
      "Run without a workspace, or set `files.access: true` in the home policy.",
    );
  }
  if (request.unconfined && !effective.sandbox.backends.includes("unconfined")) {
    throw new DrydockError(
      "sandbox.unavailable",
      "The policy does not name the backend `unconfined`.",
      "To run without a sandbox, the owner adds it: `drydock policy set sandbox.backends '[namespaces, unconfined]'`.",
    );
  }
  if (work.argv && !permitsCommand(commands, work.argv))
    throw commandDeniedError({ argv: work.argv, commands }, resolved);
  if (work.language !== "bash" || permitsEveryCommand(commands)) return;
  const { checkShell } = await loadShellCheck();
  const checked = checkShell(commands, work.code);
  if (!checked.ok) throw commandDeniedError({ ...checked, commands }, resolved);
}

/** `longCode` is what the record can't hold inline. Code with a secret in it is not kept anywhere. */
function describeRequest(ledger: Ledger, request: ExecRequest, work: Work) {
  const { policy: _policy, code: _code, ...rest } = request;
  const described = { ...rest, language: work.language };
  if (work.argv) return { request: described };
  const codeChars = work.code.length;
  if (codeChars <= INLINE_CODE_CHARS) return { request: { ...described, code: work.code, codeChars } };
  const code = `${cutRedacted(ledger, work.code, INLINE_CODE_CHARS)}…`;
  const longCode = toKeptText(ledger, work.code);
  const codeSha256 = longCode && hash("sha256", longCode);
  return { request: { ...described, code, codeChars, ...(codeSha256 && { codeSha256 }) }, longCode };
}
