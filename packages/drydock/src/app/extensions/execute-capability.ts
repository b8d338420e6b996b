import {
  type CapabilityOutcome,
  type CommandRoute,
  ConversationId,
  DrydockError,
  type ErrorInfo,
} from "@drydock/protocol";
import {
  countResponsesNeeded,
  fillTemplates,
  findHelpTopic,
  helpText,
  type InputResponse,
  listResponsesNeeded,
  quotaReachedError,
  type Route,
} from "../../extensions/index.ts";
import { openControl } from "../runs/open-control.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import type { CapabilityContext } from "./api.ts";
import {
  askApproval,
  describeKept,
  extensionChangedError,
  holdsSecret,
  requiresApproval,
  secretCantWaitError,
} from "./approvals/approve-call.ts";
import type { CallPorts } from "./call-ports.ts";
import { describeForReplay } from "./describe-for-replay.ts";
import { findInput, needsInput, noResponseError, readsInput } from "./find-input.ts";
import { type PreparedCall, prepareCall, type RoutedCall } from "./prepare-call.ts";
import {
  type Caller,
  cancelledError,
  createCallRun,
  DEFAULT_SESSION,
  DEFAULT_USER,
  terminalEvent,
  toCapabilityError,
} from "./record-call.ts";
import { routeCall } from "./route-call.ts";
import { type AdmittedCall, type Ran, runCall } from "./run-call.ts";

const MAX_USER_CHARS = 200;
/** After a wait longer than this, it is checked again whether the extension is unchanged and still allowed. */
const RECHECK_MS = 5;

/** A line or a route, from its words to its outcome. Whatever the words, the policy or the tool did is an outcome. */
export async function executeCapability(
  ports: CallPorts,
  request: string | CommandRoute,
  context: CapabilityContext & { signal: AbortSignal },
): Promise<CapabilityOutcome> {
  const since = performance.now();
  const { session = DEFAULT_SESSION, user = DEFAULT_USER } = context;
  const caller = { session, user };
  const refuse = (error: unknown) =>
    toCapabilityError({ runId: null, call: null, session, durationMs: performance.now() - since }, infoOf(error));
  try {
    if (!ConversationId.safeParse(session).success) throw badSession(session);
    if (typeof user !== "string" || user === "" || user.length > MAX_USER_CHARS) throw badUser();
    const commands = await ports.registry.routes();
    const words = typeof request === "string" ? findHelpTopic(request, commands) : null;
    if (words) return toHelpOutcome(helpText(words, commands), session, since);
    const parts = await routeCall(ports.registry, request, commands);
    return await executeParts(ports, parts, caller, context);
  } catch (error) {
    return refuse(error);
  }
}

/** Each part is a run of its own, on what the one before gave; the first that fails is the last. */
async function executeParts(
  ports: CallPorts,
  parts: readonly Route[],
  caller: Caller,
  context: CapabilityContext & { signal: AbortSignal },
): Promise<CapabilityOutcome> {
  let parentRunId = context.parentRunId;
  let piped: InputResponse | null = null;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const { outcome, piped: nextInput }: Ran = await executePart(ports, part, caller, piped, {
      ...context,
      parentRunId,
      // A result that is piped to the next action is not part of the output.
      onOutput: isLast ? context.onOutput : undefined,
      approval: context.approval === "wait" && !isLast ? "deny" : context.approval,
    });
    if (isLast || outcome.type !== "capability_result") return outcome;
    parentRunId ??= outcome.runId ?? undefined;
    piped = nextInput;
  }
  throw new DrydockError("input.invalid", "There is no command.", "As in: /curl get https://example.org");
}

async function executePart(
  ports: CallPorts,
  part: Route,
  caller: Caller,
  piped: InputResponse | null,
  context: CapabilityContext & { signal: AbortSignal },
): Promise<Ran> {
  const since = performance.now();
  const { extension, action } = part;
  const named: RoutedCall = { extension, command: part.command.name, action, values: part.values };
  let call: RoutedCall;
  try {
    call = { ...named, values: await fillValues(ports, part, caller.session) };
  } catch (error) {
    const header = { runId: null, call: named, session: caller.session, durationMs: performance.now() - since };
    return { outcome: toCapabilityError(header, infoOf(error)), piped: null };
  }
  let prepared: PreparedCall | null = null;
  let refusal: unknown;
  try {
    prepared = await prepareCall(ports, call, context, caller.session);
  } catch (error) {
    refusal = error;
  }
  const input = piped ?? (prepared && readsInput(call) ? await findInput(ports, caller.session, call) : null);
  if (prepared && !input && needsInput(call)) refusal = noResponseError(call, caller.session);
  const waits = prepared && context.approval === "wait" && requiresApproval(call, prepared);
  const { policy, model } = context;
  const kept =
    prepared && waits && !holdsSecret(ports, call)
      ? describeKept({
          ...{ values: call.values, hash: prepared.record.hash, inputId: input?.info.id ?? null },
          // Relative paths may lead elsewhere at the time of the approval, or in another process.
          ...{ workspace: prepared.workspace ?? undefined, policy, model },
        })
      : null;
  const { fields, contents } = describeForReplay(ports.ledger, call, prepared, input);
  const more = { ...fields, ...(kept && { kept: kept.sha256 }) };
  const runId = await createCallRun(ports.ledger, call, caller, context, prepared, more);
  if (contents.length > 0) await ports.ledger.blobs.putAll(contents, { runId });
  notifyStarted(context, runId);
  const control = openControl(ports.ledger, runId, context.signal);
  const { signal } = control;
  let admitted: AdmittedCall | null = null;
  try {
    if (!prepared || refusal) throw refusal;
    await admitByQuota(ports, runId, call, prepared);
    admitted = { runId, call, caller, prepared, context, input, signal, since, waitedMs: 0 };
    if (!requiresApproval(call, prepared)) return await runQueued(ports, admitted);
    if (waits && !kept) throw secretCantWaitError();
    if (kept) await ports.ledger.blobs.put(Buffer.from(kept.text), { runId });
    return await runApproved(ports, admitted);
  } catch (error) {
    return endEarly(ports, admitted ?? { runId, call, caller, since, signal }, error);
  } finally {
    control.close();
  }
}

/** Asks for approval first. The person who answered also gets the outcome. */
async function runApproved(ports: CallPorts, admitted: AdmittedCall): Promise<Ran> {
  const { runId, call, caller } = admitted;
  const asking = ports.asking.open(runId);
  let ran: Ran;
  try {
    const decision = await leaveOut(admitted, askApproval(ports, admitted, asking.answered));
    if (decision.kind === "approved") ran = await runQueued(ports, admitted);
    else {
      const { extension, command, action } = call;
      const header = { runId, extension, command, action: action.name, session: caller.session };
      ran = { outcome: { type: "capability_waiting", ...header, approval: decision.approval }, piped: null };
    }
  } catch (error) {
    ran = await endEarly(ports, admitted, error);
  }
  asking.close(ran.outcome);
  return ran;
}

type Early = Pick<AdmittedCall, "runId" | "call" | "caller" | "since" | "signal">;

/** Ends a run that never came to its work. */
async function endEarly({ ledger }: CallPorts, early: Early, error: unknown): Promise<Ran> {
  const { runId, call, caller, since, signal } = early;
  const info = infoOf(signal.aborted ? cancelledError() : error);
  const durationMs = performance.now() - since;
  await ledger.finish(runId, terminalEvent(info, { durationMs, notes: [] }));
  return { outcome: toCapabilityError({ runId, call, session: caller.session, durationMs }, info), piped: null };
}

/** Waits for its turn, then does it. Throws only what happens before it begins. */
export async function runQueued(ports: CallPorts, admitted: AdmittedCall): Promise<Ran> {
  const { runId, call, caller, prepared, context, signal } = admitted;
  const { concurrency, total } = prepared.grant.policy.extensions;
  const turn = await leaveOut(
    admitted,
    ports.queue.enter(
      { runId, extension: call.extension, command: call.command, action: call.action.name, ...caller },
      { concurrency, total, signal, onQueued: context.onQueued },
    ),
  );
  try {
    if (admitted.waitedMs > RECHECK_MS) await refuseChanged(ports, prepared);
    return await runCall(ports, { ...admitted, signal: AbortSignal.any([signal, turn.signal]) });
  } finally {
    turn.leave();
  }
}

async function refuseChanged({ registry }: CallPorts, { record }: PreparedCall): Promise<void> {
  const { id } = record.manifest;
  if ((await registry.verify(id)).hash !== record.hash) throw extensionChangedError(id);
}

/** What a call waits for is no work of its own, and is not counted among the seconds that its extension has. */
async function leaveOut<T>(admitted: AdmittedCall, waited: Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await waited;
  } finally {
    const ms = performance.now() - from;
    admitted.since += ms;
    admitted.waitedMs += ms;
  }
}

async function admitByQuota({ ledger }: CallPorts, runId: string, { extension }: RoutedCall, { grant }: PreparedCall) {
  const { callsPerHour, secondsPerHour } = grant.policy.extensions;
  const quota = { callsPerHour, secondsPerHour };
  const admission = await ledger.capabilities.admit(runId, quota);
  if (!admission.admitted)
    throw quotaReachedError(extension, admission.quota, quota[admission.quota], admission.freeAt);
}

async function fillValues({ ledger }: CallPorts, part: Route, session: string): Promise<RoutedCall["values"]> {
  const count = countResponsesNeeded(part);
  if (count === 0) return fillTemplates(part, []);
  const needed = listResponsesNeeded(part);
  const infos = await ledger.responses.history(session, { limit: count });
  const responses = await Promise.all(
    infos.map(({ id }, index) => (needed.has(index) ? ledger.responses.read(id) : { text: "" })),
  );
  return fillTemplates(
    part,
    responses.flatMap((response) => (response ? [response] : [])),
  );
}

function notifyStarted({ onStarted }: CapabilityContext, runId: string): void {
  try {
    onStarted?.(runId);
  } catch (error) {
    process.emitWarning(`onStarted threw: ${error instanceof Error ? error.message : String(error)}`, "DrydockWarning");
  }
}

function toHelpOutcome(output: string, session: string, since: number): CapabilityOutcome {
  return {
    type: "capability_result",
    success: true,
    ...{ runId: null, extension: null, command: null, action: null, session, output },
    ...{ durationMs: performance.now() - since, truncated: false, artifacts: [], responseId: null },
    ...{ metadata: {}, notes: [] },
  };
}

function infoOf(error: unknown): ErrorInfo {
  return asDrydockError(error).toInfo();
}

function badUser(): DrydockError {
  const hint = `Give the name of the user who makes the call, in at most ${MAX_USER_CHARS} characters.`;
  return new DrydockError("input.invalid", "The name of the user is not valid.", hint);
}

function badSession(session: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `session: ${JSON.stringify(session.slice(0, 80))} is not a valid name of a conversation.`,
    "Use letters, digits and . _ : - , beginning with a letter or a digit, and at most 128 of them.",
  );
}
