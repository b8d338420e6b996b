import { DrydockError, type EffectivePolicy, ParameterValue } from "@drydock/protocol";
import * as z from "zod";
import { findRunnerKind, type InputResponse } from "../../extensions/index.ts";
import type { Model } from "../../models/index.ts";
import { intersectPolicies, narrowPolicy } from "../../policy/index.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { withModel } from "../tasks/index.ts";
import type { CallPorts } from "./call-ports.ts";
import { describeForReplay } from "./describe-for-replay.ts";
import { needsInput } from "./find-input.ts";
import { type CallDirectory, type PreparedCall, prepareCall, type RoutedCall } from "./prepare-call.ts";
import { createCallRun } from "./record-call.ts";
import { runCall } from "./run-call.ts";

export interface ReplayCallRequest extends RecordedRun {
  /** The policy that the call had. */
  policy: EffectivePolicy;
  /** The directory that it works in; null: an empty one. */
  directory: { kind: CallDirectory["kind"]; path: string | null };
  /** What the run asked; null: no model. */
  model: Model | null;
  network: boolean;
  signal: AbortSignal;
  parentRunId?: string;
}

/** `changed`: the extension is not the one that was called, and nothing was executed. */
export type ReplayedCall = { kind: "done"; runId: string } | { kind: "changed"; recorded: string; installed: string };

const RecordedCall = z.object({
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  values: z.record(z.string(), ParameterValue),
  user: z.string(),
  hash: z.string().optional(),
  valuesSha256: z.string().nullable().optional(),
  inputSha256: z.string().nullable().optional(),
});
type RecordedCall = z.infer<typeof RecordedCall>;

/**
 * Does a recorded call again, in a conversation of its own: its response is nobody's last one, nothing is kept in a work
 * directory, nobody is asked, and it does not count towards a quota.
 */
export async function replayCall(ports: CallPorts, request: ReplayCallRequest): Promise<ReplayedCall> {
  const { run, events, signal, parentRunId } = request;
  const parsed = RecordedCall.safeParse(events[0]?.data.capability);
  if (!parsed.success) throw incomplete(run.id, "its request can't be read");
  const { extension, hash } = parsed.data;
  if (hash === undefined) throw incomplete(run.id, "the version of its extension is not on record");
  const installed = await findInstalled(ports, extension);
  if (installed !== hash) return { kind: "changed", recorded: hash, installed };
  const call = await readCall(ports, run.id, parsed.data);
  const input = await readInput(ports, run.id, parsed.data);
  if (!input && needsInput(call)) throw incomplete(run.id, "it was refused before it started");
  const caller = { session: `replay:${run.id}`, user: parsed.data.user };
  const prepared = await prepare(ports, call, caller.session, request);
  const { fields, contents } = describeForReplay(ports.ledger, call, prepared, input);
  const context = { parentRunId, signal };
  const runId = await createCallRun(ports.ledger, call, caller, context, prepared, fields, { replayOf: run.id });
  if (contents.length > 0) await ports.ledger.blobs.putAll(contents, { runId });
  const since = performance.now();
  const admitted = { runId, call, caller, prepared, context, input, signal, since, waitedMs: 0 };
  await runCall(withModel(ports, request.model), admitted);
  return { kind: "done", runId };
}

async function findInstalled({ registry }: CallPorts, extension: string): Promise<string> {
  try {
    return (await registry.verify(extension)).hash;
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    return error.message;
  }
}

async function readCall({ registry, ledger }: CallPorts, runId: string, recorded: RecordedCall): Promise<RoutedCall> {
  const { extension, command, action: name, valuesSha256 } = recorded;
  const { commands } = await registry.get(extension);
  const action = commands.find((each) => each.name === command)?.actions.find((each) => each.name === name);
  if (!action) throw incomplete(runId, `the extension ${extension} has no action ${command} ${name}`);
  if (!findRunnerKind(action.runner)) {
    throw incomplete(runId, `its runner ${action.runner} is a function of a program, which a replay does not call`);
  }
  if (valuesSha256 === null)
    throw incomplete(runId, "its values are not on record: they held a secret, or were too large");
  const kept = valuesSha256 === undefined ? null : await ledger.blobs.readWhole(valuesSha256);
  const values = kept ? z.record(z.string(), ParameterValue).parse(JSON.parse(kept.toString())) : recorded.values;
  return { extension, command, action, values };
}

async function readInput(
  { ledger }: CallPorts,
  runId: string,
  { inputSha256 }: RecordedCall,
): Promise<InputResponse | null> {
  if (inputSha256 === undefined) return null;
  if (inputSha256 === null) {
    throw incomplete(runId, "the response that it worked on is not on record: it held a secret, or was too large");
  }
  return JSON.parse((await ledger.blobs.readWhole(inputSha256)).toString());
}

/** All checks of a call hold today as well. Of what is allowed now, only what was allowed then is left. */
async function prepare(
  ports: CallPorts,
  call: RoutedCall,
  session: string,
  { run, policy: then, directory, network }: ReplayCallRequest,
): Promise<PreparedCall> {
  const workspace = directory.kind === "workspace" ? (directory.path ?? undefined) : undefined;
  const prepared = await prepareCall(ports, call, { workspace }, session);
  const allowed = intersectPolicies(prepared.grant.policy, then);
  const policy = network ? allowed : narrowPolicy(allowed, { hosts: [] });
  const place: CallDirectory =
    prepared.place.kind === "workspace"
      ? prepared.place
      : { kind: "work", path: run.workspace ?? prepared.place.path, existing: directory.path, keeps: false };
  return { ...prepared, place, grant: { ...prepared.grant, policy } };
}

function incomplete(runId: string, reason: string): DrydockError {
  const message = `Run ${runId} can't be replayed: ${reason}.`;
  return new DrydockError("input.invalid", message, "Call it again instead.", { runId });
}
