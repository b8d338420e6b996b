import { isUtf8 } from "node:buffer";
import { type CapabilityOutcome, DrydockError, type ErrorInfo } from "@drydock/protocol";
import { isText } from "../../base/text/index.ts";
import {
  type CapabilityRunner,
  findRunnerKind,
  type InputResponse,
  type RunnerOutcome,
  timeoutError,
} from "../../extensions/index.ts";
import { pickEnvironment } from "../../policy/index.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { CapabilityContext } from "./api.ts";
import type { CallPorts } from "./call-ports.ts";
import { mayAnalyze } from "./find-input.ts";
import { readOwnOutcome } from "./own-outcome.ts";
import type { PreparedCall, RoutedCall } from "./prepare-call.ts";
import { type Caller, cancelledError, terminalEvent, toCapabilityError, toCapabilityResult } from "./record-call.ts";
import { createInnerRunner } from "./run-inner.ts";
import { openRunnerPorts } from "./runner-ports.ts";
import { keepInWorkDirectory } from "./work-directory.ts";

export interface AdmittedCall {
  runId: string;
  call: RoutedCall;
  caller: Caller;
  prepared: PreparedCall;
  context: CapabilityContext;
  input: InputResponse | null;
  signal: AbortSignal;
  /** When the call came in; later by what it has waited for a person or its turn. */
  since: number;
  /** For a person, for its turn. */
  waitedMs: number;
}

export interface Ran {
  outcome: CapabilityOutcome;
  /** The whole of what it gave, for the next one of a pipeline; null where it failed, or gave no text. */
  piped: InputResponse | null;
}

const ERROR_OUTPUT_BYTES = 1_048_576;

/** Does what was admitted, and ends its run: with its response, or with what went wrong. */
export async function runCall(ports: CallPorts, admitted: AdmittedCall): Promise<Ran> {
  const { ledger, redactor } = ports;
  const { runId, call, caller, prepared, context, signal } = admitted;
  const { grant, place } = prepared;
  const { policy } = grant;
  let readsSecrets = false;
  const inner = createInnerRunner(ports, {
    admit: async () => runId,
    policy,
    ceiling: prepared.ceiling,
    workspace: place.kind === "workspace" ? place.path : place.existing,
    ...(place.kind === "workspace" && { scope: place.scope, visible: place.visible }),
    environment: pickEnvironment(policy.environment.allow, ports.environment),
    checkCommand: grant.checkCommand,
    signal,
    onOutput: context.onOutput,
  });
  let ran: RunnerOutcome;
  try {
    ran = await run();
    if (readsSecrets) ran = withoutSecrets(ran, redactor);
    if (!ran.ok && signal.aborted) ran = { ...ran, error: cancelledError().toInfo() };
  } catch (error) {
    ran = failed(signal.aborted ? cancelledError() : asDrydockError(error));
  }
  const { events, layer } = await inner.conclude();
  const durationMs = Math.round((performance.now() - admitted.since) * 1000) / 1000;
  const header = { runId, call, session: caller.session, durationMs };
  const { metadata, notes } = ran;
  const data = { durationMs, notes, treeHash: layer?.treeHash ?? null };
  if (!ran.ok) {
    const error =
      ran.error ??
      failed(new DrydockError("code.exit", "The command failed.", "Read its output for the reason.")).error;
    await ledger.finish(runId, terminalEvent(error, data), events);
    // Without secrets before it is cut.
    const output = readsSecrets
      ? redactor.text(readText(ran.content)).slice(0, ERROR_OUTPUT_BYTES)
      : readText(ran.content.subarray(0, ERROR_OUTPUT_BYTES));
    const shown = readsSecrets
      ? (redactor.value({ error, metadata, notes }) as typeof ran)
      : { error, metadata, notes };
    const outcome = toCapabilityError(header, shown.error as ErrorInfo, { ...shown, output, artifacts: ran.artifacts });
    return { outcome, piped: null };
  }
  const { extension, command, action } = call;
  const { content, mime } = ran;
  const staged = await ledger.responses.stage({
    ...{ runId, session: caller.session, extension, command, action: action.name, content, mime },
    metadata: { runner: action.runner, ...metadata },
  });
  await ledger.finish(
    runId,
    terminalEvent(null, { ...data, responseId: staged.info.id }),
    [...events, staged.event],
    [staged],
  );
  const kept =
    layer && layer.entries.length > 0 && place.kind === "work" && place.keeps
      ? await keepInWorkDirectory(ledger, { runId, home: ports.home, directory: place.path, layer, policy })
      : [];
  const shown = readsSecrets ? { ...ran, metadata: staged.info.metadata } : ran;
  const outcome = toCapabilityResult(header, { ...shown, notes: [...notes, ...kept] }, staged, !readsSecrets);
  return { outcome, piped: { info: staged.info, text: pipeText() } };

  async function run(): Promise<RunnerOutcome> {
    signal.throwIfAborted();
    const runner = await ports.runners.find(call.action.runner);
    const isAnalyst = mayAnalyze(call.action);
    const runnerPorts = await openRunnerPorts(ports, {
      ...{ runId, record: prepared.record, inner, context, session: caller.session, signal },
      needsModel: isAnalyst,
      onSecret: () => {
        readsSecrets = true;
      },
    });
    const { manifest, directory } = prepared.record;
    const usage = isAnalyst ? await ports.registry.readUsage(manifest.id) : "";
    const work = runner(
      {
        extension: { manifest, directory, usage },
        command: call.command,
        action: call.action,
        values: call.values,
        input: admitted.input,
        ...{ session: caller.session, user: caller.user, signal },
        onOutput: (stream, text) => forwardOutput(context, stream, text),
      },
      runnerPorts,
    );
    return findRunnerKind(call.action.runner)
      ? readOwnOutcome(await work, call.action.runner)
      : guardOwn(work, admitted);
  }

  /** Truncated only where it is kept. */
  function pipeText(): string {
    if (!isUtf8(content)) return staged.text;
    const text = Buffer.from(content).toString();
    return readsSecrets ? redactor.text(text) : text;
  }
}

/**
 * The request contained a secret, and the response may contain it too. Text is redacted when it is stored. Bytes that
 * are no valid text (one invalid byte is enough) are checked here, and kept as they are unless they contain the secret.
 */
function withoutSecrets(ran: RunnerOutcome, redactor: CallPorts["redactor"]): RunnerOutcome {
  if (isText(ran.content)) return ran;
  const bytes = Buffer.from(ran.content).toString("latin1");
  const redacted = redactor.text(bytes);
  if (redacted === bytes) return ran;
  return { ...ran, content: Buffer.from(redacted, "latin1"), notes: [...ran.notes, "a secret was taken out of it"] };
}

/** A runner that a program registered runs in that program: it may throw anything, hang, or give back anything. */
async function guardOwn(work: ReturnType<CapabilityRunner>, { call, signal }: AdmittedCall): Promise<RunnerOutcome> {
  const { runner, timeoutSeconds } = call.action;
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(timeoutError(timeoutSeconds, `The runner ${runner}`)),
    timeoutSeconds * 1000,
  );
  const stop = AbortSignal.any([signal, late.signal]);
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
  try {
    return readOwnOutcome(await Promise.race([work, stopped]), runner);
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const hint = "This is a fault of the program that registered the runner.";
    throw new DrydockError("code.exception", `The runner ${runner} failed: ${message}`, hint, { runner }, error);
  } finally {
    clearTimeout(timer);
  }
}

function forwardOutput({ onOutput }: CapabilityContext, stream: "stdout" | "stderr", text: string): void {
  try {
    onOutput?.({ stream, text });
  } catch (error) {
    process.emitWarning(`onOutput threw: ${error instanceof Error ? error.message : String(error)}`, "DrydockWarning");
  }
}

function failed(error: DrydockError): RunnerOutcome {
  const empty = { content: Buffer.alloc(0), mime: "text/plain", artifacts: [], metadata: {}, notes: [] };
  return { ok: false, error: error.toInfo(), ...empty };
}

function readText(content: Uint8Array): string {
  return Buffer.from(content).toString();
}
