import { type Approval, type CapabilityOutcome, DrydockError, EffectivePolicy } from "@drydock/protocol";
import { intersectPolicies } from "../../../policy/index.ts";
import { openControl } from "../../runs/open-control.ts";
import { asDrydockError } from "../../runs/refuse-run.ts";
import type { CapabilityContext } from "../api.ts";
import type { CallPorts } from "../call-ports.ts";
import { runQueued } from "../execute-capability.ts";
import { readInput } from "../find-input.ts";
import { type PreparedCall, prepareCall, type RoutedCall } from "../prepare-call.ts";
import { type Caller, cancelledError, terminalEvent, toCapabilityError } from "../record-call.ts";
import { extensionChangedError, type KeptCall } from "./approve-call.ts";

/**
 * Does an approved call that waited; this process owns the run by now. The call is exactly the requested one. If the
 * policy has become stricter since then, the stricter one applies; if it has become wider, the old one does.
 */
export async function resumeCall(
  ports: CallPorts,
  approval: Approval,
  context: CapabilityContext & { signal: AbortSignal },
): Promise<CapabilityOutcome> {
  const { ledger } = ports;
  const { runId } = approval;
  const since = performance.now();
  const control = openControl(ledger, runId, context.signal);
  const { signal } = control;
  let call: RoutedCall | null = null;
  let caller: Caller = { session: "", user: "" };
  try {
    const found = await readCall(ports, approval);
    caller = found.caller;
    call = found.call;
    const { kept } = found;
    const resumedContext = { ...context, workspace: kept.workspace, policy: kept.policy, model: kept.model };
    const prepared = await prepareCall(ports, call, resumedContext, caller.session);
    if (prepared.record.hash !== kept.hash) throw extensionChangedError(call.extension);
    if (prepared.workspace !== (kept.workspace ?? null)) throw movedSince(kept.workspace ?? "");
    const input = kept.inputId === null ? null : await readInput(ports, await ledger.responses.read(kept.inputId));
    if (kept.inputId !== null && input === null) throw goneInput();
    const admitted = {
      runId,
      call,
      caller,
      prepared: narrow(prepared, found.policy),
      context: resumedContext,
      input,
      signal,
      since,
      waitedMs: 0,
    };
    return (await runQueued(ports, admitted)).outcome;
  } catch (caught) {
    const error = signal.aborted ? cancelledError() : asDrydockError(caught);
    const durationMs = performance.now() - since;
    await ledger.finish(runId, terminalEvent(error.toInfo(), { durationMs, notes: [] }));
    return toCapabilityError({ runId, call, session: caller.session, durationMs }, error.toInfo());
  } finally {
    control.close();
  }
}

async function readCall(ports: CallPorts, { runId, extension, command, action: name }: Approval) {
  const [created] = await ports.ledger.events(runId, { limit: 1 });
  const capability = (created?.data.capability ?? {}) as Record<string, unknown>;
  const caller = { session: String(capability.session), user: String(capability.user) };
  const record = await ports.registry.get(extension);
  const action = record.commands.find((each) => each.name === command)?.actions.find((each) => each.name === name);
  if (!action || typeof capability.kept !== "string") throw extensionChangedError(extension);
  const kept: KeptCall = JSON.parse((await ports.ledger.blobs.readWhole(capability.kept)).toString());
  const policy = EffectivePolicy.parse(created?.data.policy);
  return { caller, kept, policy, call: { extension, command, action, values: kept.values } satisfies RoutedCall };
}

/** The policy of then takes the owner's place: of what is allowed now, only what lies within it is left. */
function narrow(prepared: PreparedCall, then: EffectivePolicy): PreparedCall {
  const now = prepared.grant.policy;
  if (JSON.stringify(now) === JSON.stringify(then)) return prepared;
  const policy = intersectPolicies(now, then);
  return { ...prepared, grant: { ...prepared.grant, policy } };
}

function movedSince(workspace: string): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    `The directory ${workspace} now leads to another place than when the approval was requested.`,
    "The approval no longer matches the call. Make the call again.",
    { workspace },
  );
}

function goneInput(): DrydockError {
  return new DrydockError(
    "input.invalid",
    "The response that this call needs as input is no longer stored.",
    "Repeat the call that produced it, then this one.",
  );
}
