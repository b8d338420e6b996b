import type { Divergence, RunEvent } from "@drydock/protocol";
import { ApiError, ApiErrorInfo, RunContext } from "@drydock/protocol/runner";
import * as z from "zod";
import { titleOfReplay } from "../runs/exec-ports.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { notReplayable } from "./read-recorded.ts";
import { readRequest } from "./read-request.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";

const Requested = z.looseObject({
  agent: z.looseObject({ runner: z.string(), delivery: z.looseObject({ reply: z.boolean() }) }),
});
/** What an event has of a value: its JSON, or the hash of that. Neither where it held a secret. */
const Kept = z.object({ json: z.string().optional(), sha256: z.string().optional() });

interface RecordedCall {
  method: string;
  params: unknown;
  answer: unknown;
  error: ApiErrorInfo | null;
}

/** The runner in its sandbox, with the context and the answers that are on record. */
export async function replayRunner(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
): Promise<Replayed> {
  const { run, events } = recorded;
  const { ledger, host } = ports;
  const { agent } = readRequest(recorded, Requested);
  const started = events.find(({ type }) => type === "runner.started");
  const { replayOf } = events[0]?.data ?? {};
  if (replayOf !== undefined) throw notReplayable(run.id, "it is a replay itself", `Replay ${replayOf} instead.`);
  if (!started) throw notReplayable(run.id, "its runner never started", "There is nothing to execute again.");
  if (run.errorCode === "runner.timeout") throw notReplayable(run.id, "it was ended at its deadline");
  const read = async (kept: unknown): Promise<unknown> => {
    const { json = "null", sha256 } = Kept.parse(kept ?? {});
    return JSON.parse(sha256 === undefined ? json : (await ledger.blobs.readWhole(sha256)).toString());
  };
  const context = (await read(started.data.context)) as RunContext;
  if (!RunContext.safeParse(context).success)
    throw notReplayable(run.id, "what its runner was told is not on record, or held a secret");
  if (events.some(({ type }) => type === "events.folded"))
    throw notReplayable(run.id, "it did more than the record holds one by one");
  const calls = await readCalls(events, read);
  const divergences: Divergence[] = [];
  const { id: runId } = await ledger.createRun({
    ...{ kind: "runner", title: titleOfReplay(run.id), workspace: null },
    data: { policy: null, request: events[0]?.data.request, replayOf: run.id },
  });
  const end = { verdict: "unverified", treeHash: null, error: null } as const;
  try {
    const replayed = await host.replayRunner({
      ...{ runnerId: agent.runner, context, network: request.network ?? false, signal: request.signal },
      expectsReply: context.event.event_type === "message.received" && agent.delivery.reply,
      answer: createAnswers(calls, divergences),
    });
    for (const { method } of calls)
      divergences.push({ step: "calls", what: `the call ${method}`, recorded: "made", replayed: "not made" });
    const plugin = `${started.data.plugin} ${started.data.version}`;
    if (plugin !== replayed.plugin)
      divergences.unshift({ ...PLUGIN, cause: "extension", recorded: plugin, replayed: replayed.plugin });
    divergences.push(...compareFacts(readFacts(events), replayed.facts));
    await ledger.finish(runId, { type: "run.succeeded", data: { ...end, divergences: divergences.length } });
    const notes = ["Answers of the host were taken from the record. Nothing that the runner asked for was done."];
    return { runId, verdict: "unverified", treeHash: null, steps: replayed.facts.length, divergences, notes };
  } catch (error) {
    const type = request.signal.aborted ? "run.cancelled" : "run.failed";
    await ledger.finish(runId, { type, data: { ...end, error: asDrydockError(error).toInfo() } });
    throw error;
  }
}

const PLUGIN = { step: "plugin", what: "its version" } as const;

async function readCalls(events: readonly RunEvent[], read: (kept: unknown) => Promise<unknown>) {
  const calls: RecordedCall[] = [];
  for (const { type, data } of events) {
    // What a harness called is not the runner's.
    if (type !== "host.called" || data.via !== undefined || data.params === undefined) continue;
    const error = data.ok ? null : ApiErrorInfo.parse(await read(data.result));
    calls.push({
      method: String(data.method),
      params: await read(data.params),
      answer: await read(data.result),
      error,
    });
  }
  return calls;
}

/** Answers each call with the next answer to the same call. One that is not on record is a difference. */
function createAnswers(calls: RecordedCall[], divergences: Divergence[]) {
  let made = 0;
  return (method: string, params: Record<string, unknown>): unknown => {
    made++;
    const text = toText(params);
    const at = calls.findIndex((call) => call.method === method && toText(call.params) === text);
    const [found] = at === -1 ? [] : calls.splice(at, 1);
    if (!found) {
      const next = calls.findIndex((call) => call.method === method);
      const [instead] = next === -1 ? [] : calls.splice(next, 1);
      const replayed = { method, params };
      const was = instead ? { method, params: instead.params } : "not made";
      divergences.push({ step: `call ${made}`, what: `the call ${method}`, recorded: was, replayed });
      throw new ApiError("runtime_error", "The record has no answer to this call.");
    }
    if (found.error) throw new ApiError(found.error.code, found.error.message, found.error);
    return found.answer;
  };
}

/** Without the id of a stream, which the runner invents. */
function toText(params: unknown): string {
  const { stream_id: _, ...rest } = Object(params) as Record<string, unknown>;
  return JSON.stringify(sortKeys(rest));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, sortKeys(one)] as const)
      .sort(byKey),
  );
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Fact {
  what: string;
  value: unknown;
}

/** What the runner did by its results, in the order of the record. */
function readFacts(events: readonly RunEvent[]): Fact[] {
  const facts: Fact[] = [];
  for (const { type, data } of events) {
    if (type === "message.sent") facts.push({ what: "message", value: data.text });
    else if (type === "tool.reported") facts.push({ what: "tool report", value: `${data.type} ${data.tool_name}` });
    else if (type === "artifact.stored") facts.push({ what: "artifact", value: { name: data.name, size: data.size } });
    else if (type === "state.changed" && data.by !== "call")
      facts.push({ what: "state", value: `${data.scope}/${data.key}` });
    else if (type === "action.requested") facts.push({ what: "action", value: data.action });
    else if (type === "run.succeeded") facts.push({ what: "end", value: data.finishReason });
    else if (type === "run.failed") {
      const { code, runnerCode } = Object(data.error) as Record<string, unknown>;
      facts.push({ what: "end", value: runnerCode ?? code });
    }
  }
  return facts;
}

/** The first difference says it all: what comes after it may follow from it. */
function compareFacts(recorded: readonly Fact[], replayed: readonly Fact[]): Divergence[] {
  for (let index = 0; index < Math.max(recorded.length, replayed.length); index++) {
    const [was, is] = [recorded[index], replayed[index]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const what = was?.what === is?.what ? `the ${was?.what}` : "what the runner did";
    const step = `result ${index + 1}`;
    return [{ step, what, recorded: was?.value ?? "nothing", replayed: is?.value ?? "nothing" }];
  }
  return [];
}
