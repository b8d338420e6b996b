import {
  DrydockError,
  type ErrorInfo,
  type ExecRequest,
  type ExecResult,
  type PolicyDocument,
} from "@drydock/protocol";
import type { Ledger } from "../ledger/index.ts";
import {
  loadShellCheck,
  permitsCommand,
  permitsEveryCommand,
  pickEnvironment,
  type ResolvedPolicy,
} from "../policy/index.ts";
import { resolveWorkspace, type Sandbox, type Shelf, type Work } from "../sandbox/index.ts";
import { commandDenied } from "./command-denied.ts";
import { cutRedacted } from "./cut-redacted.ts";
import type { ExecOptions, OutputChunk } from "./dock.ts";
import type { Gate } from "./gate.ts";
import type { Control } from "./goals/open-control.ts";
import { keepOutput } from "./keep-output.ts";
import type { Policies } from "./policies.ts";
import { readRequest, titleOf, toWork } from "./read-request.ts";
import { settleExecution } from "./settle-execution.ts";

export interface ExecPorts {
  ledger: Ledger;
  /** Opened by the first run that needs it; where it can't be, that run says so. */
  sandbox: () => Sandbox;
  /** A run is coming. */
  expect: (work: Work) => void;
  policies: Policies;
  gate: Gate;
  /** Drydock's own directories: no workspaces. */
  own: readonly string[];
  environment: Record<string, string | undefined>;
}

const NO_USAGE = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };
const INLINE_CODE_CHARS = 64 * 1024;

/** What only other use cases can ask for; apart from a request, so that nobody outside can write it into one. */
export interface ExecExtras {
  shelves?: readonly Shelf[];
  /** Set by Drydock itself, whatever the policy lets through of its own. */
  environment?: Record<string, string>;
  /** Why it can't be run at all: it is put on record with that. */
  refusal?: DrydockError;
}

/** One execution, from the request to its record. Rejects for a request that can't be read; everything else is a result. */
export async function execute(ports: ExecPorts, options: ExecOptions, extras: ExecExtras = {}): Promise<ExecResult> {
  const request = await readRequest(options);
  const work = toWork(request);
  ports.expect(work);
  const workspace = request.workspace === undefined ? null : resolveWorkspace(request.workspace, ports.own);
  let resolved: ResolvedPolicy | undefined;
  let refusal = extras.refusal;
  try {
    resolved = await ports.policies.resolve({ workspace, request: withUnsafe(request.policy, request.unsafe) });
    await checkAllowed(resolved, work, request);
  } catch (error) {
    refusal ??= asDrydockError(error);
  }
  const admit = once(async () => {
    const data = {
      policy: resolved?.effective ?? null,
      request: describeRequest(ports.ledger, request, work),
      ...(extras.shelves && { shelves: extras.shelves }),
      ...nameParent(options),
      ...(options.onStarted && { hears: ["cancel"] }),
    };
    return (await ports.ledger.createRun({ kind: "exec", title: titleOf(ports.ledger, work), workspace, data })).id;
  });
  let control: Control | undefined;
  try {
    // Whoever wants to know the run before it begins pays for that: others admit it while the sandbox prepares.
    if (options.onStarted) {
      const { openControl } = await import("./goals/open-control.ts");
      control = openControl(ports.ledger, await admit(), options.signal);
      options.onStarted(await admit());
    }
    if (refusal || !resolved) throw refusal;
    const heeded = control ? { ...options, signal: control.signal } : options;
    return await runAdmitted(ports, admit, work, resolved, workspace, heeded, extras);
  } catch (error) {
    const refused = await refuse(ports.ledger, await admit(), asDrydockError(error));
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
  const leave = await ports.gate.enter(policy.limits.concurrency, options.signal);
  const kept = keepOutput(ledger, admit);
  const tell = options.onOutput && decodeOutput(options.onOutput);
  try {
    const execution = await ports.sandbox().execute({
      work,
      policy,
      workspace,
      admit,
      environment: { ...pickEnvironment(policy.environment.allow, ports.environment), ...extras.environment },
      stdin: options.stdin,
      signal: options.signal,
      onOutput: (stream, bytes) => {
        kept.hear(stream, bytes);
        tell?.(stream, bytes);
      },
      onReading: options.onReading,
      unconfined: options.unconfined,
      shelves: extras.shelves,
    });
    const runId = await admit();
    const settled = await settleExecution(ledger, runId, work, policy, execution, resolved);
    await ledger.finish(runId, settled.terminal, settled.events);
    kept.drop();
    return { runId, ...settled.result };
  } finally {
    kept.stop();
    leave();
  }
}

/** So that a run's record leads to the run that it is a part of. */
export function nameParent({ parentRunId }: { parentRunId?: string }): { parentRunId?: string } {
  return parentRunId === undefined ? {} : { parentRunId };
}

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= action();
    return done;
  };
}

/** A run that ended before it began: recorded like any other. */
export async function refuse(ledger: Ledger, runId: string, error: DrydockError): Promise<ExecResult> {
  const info: ErrorInfo = error.toInfo();
  const type = info.code === "run.cancelled" ? "run.cancelled" : "run.failed";
  const sandbox = { backend: "namespaces", level: "none" } as const;
  await ledger.finish(runId, { type, data: { error: info, usage: NO_USAGE, sandbox, treeHash: null, notes: [] } });
  return {
    ok: false,
    runId,
    stdout: "",
    stderr: "",
    result: null,
    error: info,
    artifacts: [],
    changes: [],
    treeHash: "",
    usage: NO_USAGE,
    sandbox,
    notes: [],
  };
}

export function withUnsafe(policy: PolicyDocument | undefined, unsafe: boolean): PolicyDocument | undefined {
  return unsafe ? { ...policy, python: { ...policy?.python, guard: "off" } } : policy;
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
  if (work.argv && !permitsCommand(commands, work.argv)) throw commandDenied({ argv: work.argv, commands }, resolved);
  if (work.language !== "bash" || permitsEveryCommand(commands)) return;
  const { checkShell } = await loadShellCheck();
  const checked = checkShell(commands, work.code);
  if (!checked.ok) throw commandDenied({ ...checked, commands }, resolved);
}

function describeRequest(ledger: Ledger, request: ExecRequest, work: Work): Record<string, unknown> {
  const { policy: _policy, code: _code, ...rest } = request;
  const cut = cutRedacted(ledger, work.code, INLINE_CODE_CHARS);
  const code = work.code.length > INLINE_CODE_CHARS ? `${cut}…` : cut;
  return { ...rest, language: work.language, ...(work.argv ? {} : { code, codeChars: work.code.length }) };
}

/** Bytes as they come, cut anywhere, become text. A listener that throws is warned about: the run is not at fault. */
export function decodeOutput(onOutput: (chunk: OutputChunk) => void) {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return (stream: "stdout" | "stderr", bytes: Buffer) => {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (text === "") return;
    try {
      onOutput({ stream, text });
    } catch (error) {
      process.emitWarning(
        `onOutput threw: ${error instanceof Error ? error.message : String(error)}`,
        "DrydockWarning",
      );
    }
  };
}

export function asDrydockError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new DrydockError(
    "internal",
    `Something went wrong inside Drydock: ${message}`,
    "Run `drydock doctor`. If it finds nothing, please report this.",
    {},
    error,
  );
}
