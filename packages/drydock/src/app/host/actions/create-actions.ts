import { hash } from "node:crypto";
import { type Approval, type CapabilityOutcome, DrydockError, type EffectivePolicy } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import { checkShape } from "../../../base/json-schema/index.ts";
import { shortenLine } from "../../../base/text/index.ts";
import { untilAborted } from "../../../base/waiting/index.ts";
import { needsApproval } from "../../../extensions/index.ts";
import type { HostPorts } from "../../../host/index.ts";
import type { HostStore, Ledger } from "../../../ledger/index.ts";
import { HOST_EXTENSION, type HostActions } from "../../extensions/api.ts";
import { terminalEvent } from "../../extensions/index.ts";
import type { Policies } from "../../policies/index.ts";
import { nameParent } from "../../runs/exec-ports.ts";
import { openControl } from "../../runs/open-control.ts";
import { toKeptText } from "../../runs/record/kept-content.ts";
import { asDrydockError } from "../../runs/refuse-run.ts";
import type { ActionExecutor } from "../api.ts";
import type { ActionRegistry } from "./action-registry.ts";
import { deliverMessage } from "./deliver-message.ts";
import { listPending } from "./expiry-timer.ts";
import { readAction } from "./read-action.ts";

/*
 * requested ──► done, failed                     nobody needs to approve it
 *         ├───► waiting ──► approved ──► done, failed, lost with its process: never done twice
 *         │           └───► denied, by a person or because nobody decided in time
 *         └───► refused                          it is not granted, not registered, or its payload does not fit
 *
 * Each action that is not refused is a run of its own below the runner's, of the kind `capability`, so that its approval is
 * one like those of extensions.
 */
export interface ActionPorts {
  ledger: Ledger;
  policies: Policies;
  facts: HostStore;
  registry: ActionRegistry;
  now(): number;
  /** An action begins to wait. It has to end when it expires. */
  onWaiting(): void;
}

type Requested = Parameters<HostPorts["requestAction"]>[0];
type Outcome = Awaited<ReturnType<HostPorts["requestAction"]>>;
/** Everything that doing it later needs, exactly as requested. */
type KeptAction = Omit<Requested, "signal" | "approvalSeconds" | "onSettled">;

/** So many may wait at once. A person has to read them all, and those of others must not be lost among them. */
const MAX_WAITING = { run: 20, agent: 100 };
const TIMEOUT_SECONDS = 60;
const OUTPUT_CHARS = 10_000;
const SUMMARY_CHARS = 300;

export interface Actions extends HostActions {
  request: HostPorts["requestAction"];
}

export function createActions(ports: ActionPorts): Actions {
  const { ledger, registry } = ports;
  /** Who is to hear what becomes of an action that waits, by the id of its run, as long as the runner's run lasts. */
  const waiting = new Map<string, Pick<Requested, "onSettled"> & { askedBy: string }>();
  const settle = async (runId: string, outcome: Outcome) => {
    const asked = waiting.get(runId);
    waiting.delete(runId);
    await asked?.onSettled(outcome);
  };

  /** Why no more may wait; null where there is room. */
  const findCrowd = async ({ agent, runId }: KeptAction): Promise<string | null> => {
    const name = ledger.redact(agent);
    const own = (await listPending(ledger.approvals)).filter(({ requestedBy }) => requestedBy === name);
    const ofRun = own.filter((approval) => waiting.get(approval.runId)?.askedBy === runId);
    const busy = ofRun.length >= MAX_WAITING.run ? "run" : own.length >= MAX_WAITING.agent ? "agent" : null;
    return busy && `${MAX_WAITING[busy]} actions of this ${busy} wait for an approval already`;
  };

  const request = async ({ signal, approvalSeconds, onSettled, ...kept }: Requested): Promise<Outcome> => {
    const executor = registry.find(kept.action);
    if (!executor) return { status: "refused", runId: null, message: "nothing is registered for it" };
    const problems = await checkShape(kept.payload ?? {}, executor.payload ?? {});
    if (problems.length > 0) return { status: "refused", runId: null, message: `its payload: ${problems.join("; ")}` };
    const { effective } = await ports.policies.resolve({ workspace: null });
    const risk = executor.risk ?? "high";
    const waits = needsApproval(risk, effective.extensions.approval);
    const text = toKeptText(ledger, JSON.stringify(kept));
    if (waits && text === null) {
      const message = "it needs approval but can't wait for it: it holds a secret, and secrets are not stored";
      return { status: "refused", runId: null, message };
    }
    const crowd = waits ? await findCrowd(kept) : null;
    if (crowd !== null) return { status: "refused", runId: null, message: crowd };
    const expiresAt = new Date(ports.now() + approvalSeconds * 1000).toISOString();
    const runId = await createActionRun(ledger, kept, { risk, expiresAt, kept: text, policy: effective });
    if (!waits) return perform(ports, runId, kept, executor, signal);
    if (text) await ledger.blobs.put(text, { runId });
    const summary = summarize(ledger, kept);
    const { id } = await ledger.approvals.request({ runId, summary, risk, requestedBy: kept.agent, wait: true });
    waiting.set(runId, { onSettled, askedBy: kept.runId });
    signal.addEventListener("abort", () => waiting.delete(runId), { once: true });
    ports.onWaiting();
    return { status: "waiting", runId, message: `it waits for an approval until ${expiresAt}: ${id}` };
  };

  return {
    request,
    async prepare(approval) {
      const found = await readAction(ledger, approval);
      if (!found) return null;
      if (Date.parse(found.expiresAt) <= ports.now()) throw expiredError(approval, found.expiresAt);
      const kept: KeptAction = JSON.parse((await ledger.blobs.readWhole(found.kept)).toString());
      const executor = registry.find(kept.action);
      if (!executor) throw notHereError(approval);
      return async ({ signal = new AbortController().signal }) => {
        const since = performance.now();
        const outcome = await perform(ports, approval.runId, kept, executor, signal);
        await settle(approval.runId, outcome);
        return toCapabilityOutcome(approval, kept, outcome, performance.now() - since);
      };
    },
    async isExpired(approval) {
      const found = await readAction(ledger, approval);
      return found !== null && Date.parse(found.expiresAt) <= ports.now();
    },
    onDenied: ({ runId, decidedBy, reason }) => {
      const message = `${decidedBy} denied it${reason ? `: ${reason}` : ""}`;
      return settle(runId, { status: "refused", runId, message });
    },
  };
}

interface ActionFacts {
  risk: Approval["risk"];
  expiresAt: string;
  kept: Buffer | null;
  policy: EffectivePolicy;
}

async function createActionRun(ledger: Ledger, request: KeptAction, facts: ActionFacts): Promise<string> {
  const { action, agent, runId, target, payload, eventId } = request;
  const { risk, expiresAt, policy } = facts;
  const kept = facts.kept && hash("sha256", facts.kept);
  const values = { target: shorten(ledger, target), payload: shorten(ledger, payload) };
  const capability = {
    extension: HOST_EXTENSION,
    version: null,
    command: agent,
    action,
    values,
    user: agent,
    session: runId,
  };
  const data = {
    ...{ policy, capability: { ...capability, risk, kept }, hostAction: { eventId, expiresAt } },
    ...nameParent({ parentRunId: runId }),
  };
  const title = `${agent}: ${action}`;
  return (await ledger.createRun({ kind: "capability", title, workspace: null, data })).id;
}

/** Does it, once, and ends its run. */
async function perform(
  ports: ActionPorts,
  runId: string,
  { eventId, event, ...request }: KeptAction,
  executor: ActionExecutor,
  outer: AbortSignal,
): Promise<Outcome> {
  const { ledger } = ports;
  const since = performance.now();
  const control = openControl(ledger, runId, outer);
  const late = AbortSignal.timeout((executor.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000);
  const signal = AbortSignal.any([control.signal, late]);
  const deliver = (message: Message) =>
    deliverMessage(ports, { event, eventId, runId: request.runId, agent: request.agent }, message);
  const explain = (caught: unknown): DrydockError => {
    if (late.aborted) return lateError(request.action);
    return control.signal.aborted ? cancelledError() : toError(caught);
  };
  let output = "";
  let error: DrydockError | null = null;
  try {
    signal.throwIfAborted();
    const { conversation = null, actor = null } = event;
    const requested = { ...request, conversation, actor };
    const value = await untilAborted(executor.run(requested, { signal, runId, deliver }), signal);
    output = shorten(ledger, value) ?? "";
  } catch (caught) {
    error = explain(caught);
  } finally {
    control.close();
  }
  // Outside of the `try`: an end that can't be written must not turn what was done into a failure of the executor.
  const durationMs = Math.round(performance.now() - since);
  await ledger.finish(runId, terminalEvent(error?.toInfo() ?? null, { durationMs, output }));
  return error ? { status: "failed", runId, message: error.message } : { status: "done", runId, message: output };
}

function toCapabilityOutcome(
  { runId }: Approval,
  { agent, action, runId: session }: KeptAction,
  { status, message }: Outcome,
  durationMs: number,
): CapabilityOutcome {
  const called = { runId, extension: HOST_EXTENSION, command: agent, action, session, durationMs };
  const nothing = { artifacts: [], metadata: {}, notes: [] };
  if (status === "done")
    return {
      ...{ type: "capability_result", success: true, ...called, ...nothing },
      ...{ output: message, truncated: false, responseId: null },
    };
  const hint = `\`drydock runs show ${runId}\` tells what came of it.`;
  const error = new DrydockError("code.exception", message, hint).toInfo();
  return { type: "capability_error", success: false, ...called, ...nothing, error, output: "" };
}

function summarize(ledger: Ledger, { agent, action, target, payload }: KeptAction): string {
  const words = [target, payload].flatMap((part) => shorten(ledger, part) ?? []);
  return shortenLine(`${agent} asks for ${action} ${words.join(" ")}`.trimEnd(), SUMMARY_CHARS);
}

/** As text for the record, without secrets before it is cut. */
function shorten(ledger: Ledger, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return ledger.redact(text).slice(0, OUTPUT_CHARS);
}

/** An executor is the owner's own code, and may throw anything. */
function toError(caught: unknown): DrydockError {
  if (caught instanceof DrydockError) return asDrydockError(caught);
  const message = caught instanceof Error ? caught.message : String(caught);
  const hint = "This is a fault of the program that registered the executor.";
  return new DrydockError("code.exception", `The executor failed: ${message}`, hint, {}, caught);
}

function lateError(action: string): DrydockError {
  return new DrydockError("limit.timeout", `The action ${action} took too long.`, "Give its executor more time.");
}

function cancelledError(): DrydockError {
  return new DrydockError("run.cancelled", "The action was cancelled.", "Ask for it again when you want it.");
}

function expiredError({ id, runId }: Approval, at: string): DrydockError {
  const hint = "Send the agent the event again, and decide earlier.";
  return new DrydockError("policy.approval_denied", `The approval ${id} expired ${at}.`, hint, { runId });
}

function notHereError({ id, action, runId }: Approval): DrydockError {
  const message = `The action ${action} can't be done by this process: nothing is registered for it here.`;
  const hint = `Approve ${id} in the program that registers it (dock.host.actions.register), or over its HTTP server.`;
  return new DrydockError("input.invalid", message, hint, { runId, action });
}
