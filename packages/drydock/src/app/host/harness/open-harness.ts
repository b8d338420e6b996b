import { hash } from "node:crypto";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DrydockError,
  type EffectivePolicy,
  type HarnessPlan,
  type PermissionDecision,
  type PolicyDocument,
} from "@drydock/protocol";
import { INSIDE_PROGRAM, INSIDE_PROGRAM_WITH_GATEWAY } from "../../../base/agent-protocol/index.ts";
import { waitForFileLock } from "../../../base/locks/index.ts";
import type { Harness, HarnessRequest } from "../../../host/index.ts";
import type { Ledger } from "../../../ledger/index.ts";
import type { Policies } from "../../policies/index.ts";
import { readAllEvents } from "../../runs/recorded/read-all-events.ts";
import type { WrapHandle, WrapResult, Wraps } from "../../wraps/api.ts";
import { type AgentTalk, createAgentTalk } from "./agent-talk.ts";
import { decidePermission, type PermissionPorts } from "./answer-permission.ts";
import type { HarnessConsent } from "./harness-consent.ts";
import type { HarnessSettings } from "./harness-settings.ts";

export interface HarnessPorts extends PermissionPorts {
  ledger: Ledger;
  policies: Policies;
  home: string;
  wraps: Pick<Wraps, "run">;
  consent: Pick<HarnessConsent, "requireEnabled">;
}

const LAST_WORDS_CHARS = 500;
/** What is kept of standard error: the reason may stand before a long stack trace. */
const KEPT_CHARS = 8000;
const FRAME = /^\s+at .*$/gm;
/** A turn that is cancelled may end in order. */
const CANCEL_MS = 1000;
/** After its input has ended, an agent has this long to end by itself. */
const LEAVE_MS = 2000;
/** Waiting for a directory that another turn works on ends with the deadline of the run. */
const PATIENCE_MS = 3_600_000;

/**
 * Starts the agent of the settings as a wrap: in the sandbox, on a layer of its directory, which goes on from that of the turn
 * before. It ends with the run, and with it everything that it has started.
 */
export async function openHarness(ports: HarnessPorts, request: HarnessRequest): Promise<Harness> {
  const { signal } = request;
  const enabled = await ports.consent.requireEnabled(request.agent);
  const { directory } = enabled.plan;
  const lock = await waitForFileLock(join(ports.home, "harness", `${hash("sha256", directory)}.lock`), {
    ...{ patienceMs: PATIENCE_MS, signal },
    refuse: () => new DrydockError("runner.failed", `Another agent works on ${directory}.`, "Try again later."),
  });
  let hasStarted = false;
  try {
    const { settings } = enabled;
    const policyRequest = { network: { allow: settings.hosts, upstreams: settings.upstreams } };
    const { effective } = await ports.policies.resolve({ workspace: directory, request: policyRequest });
    const from = await findStart(ports.ledger, request, directory);
    const agent = startAgent(ports, request, { ...enabled, from, policy: effective, policyRequest });
    hasStarted = true;
    void agent.settled.catch(() => {}).finally(() => lock[Symbol.dispose]());
    return await attendAgent(agent, signal);
  } catch (error) {
    // What has started holds the directory until it has ended.
    if (!hasStarted) lock[Symbol.dispose]();
    throw error;
  }
}

interface Start {
  plan: HarnessPlan;
  settings: HarnessSettings;
  from: string | null;
  policy: EffectivePolicy;
  policyRequest: PolicyDocument;
}

interface StartedAgent {
  talk: AgentTalk;
  stdin: PassThrough;
  /** Ends it at once. */
  stop: AbortController;
  ready: Promise<WrapHandle>;
  settled: Promise<WrapResult>;
  /** Whether its program has ended. Its checks may still go on. */
  isOver(): boolean;
}

function startAgent(
  ports: HarnessPorts,
  request: HarnessRequest,
  { plan, settings, from, policy, policyRequest }: Start,
): StartedAgent {
  const { agent, runId: parentRunId, conversation, gateway, signal } = request;
  const stop = new AbortController();
  const stdin = new PassThrough();
  const ready = Promise.withResolvers<WrapHandle>();
  /** Aborted when the agent has ended: nobody waits for its permissions any more. */
  const gone = new AbortController();
  const open: Promise<unknown>[] = [];
  let fault: string | null = null;
  let lastWords = "";
  const note = async (decision: PermissionDecision) => (await ready.promise).notePermission(decision);
  const talk = createAgentTalk({
    gateway,
    write: (line) => void (stdin.writableEnded || stdin.write(line)),
    onFault(reason) {
      fault ??= reason;
      stop.abort();
    },
    decide(params) {
      const context = { ...request, policy, settings, note, signal: AbortSignal.any([gone.signal, signal]) };
      const decided = decidePermission(ports, context, params);
      open.push(decided);
      return decided;
    },
  });
  const settled = ports.wraps
    .run({
      ...{
        command: settings.command,
        workspace: plan.directory,
        policy: policyRequest,
        checks: settings.checks,
        stdin,
      },
      ...{ environment: settings.environment, home: `acp-${agent.name}`, signal: stop.signal },
      harness: { agent: agent.name, conversation, parentRunId },
      mounts: plan.skills.map(({ name, path }) => ({ source: path, target: `/opt/skills/${name}` })),
      adapter: gateway ? INSIDE_PROGRAM_WITH_GATEWAY : INSIDE_PROGRAM,
      ...(from !== null && { from }),
      onReady: ready.resolve,
      onOutput({ stream, text }) {
        if (stream === "stdout") talk.hear(text);
        else lastWords = (lastWords + text).slice(-KEPT_CHARS);
      },
      async onEnded({ exitCode }) {
        gone.abort();
        talk.end(fault ?? describeLeaving(exitCode, lastWords));
        await Promise.allSettled(open);
      },
      decide: async ({ verdict }) => (settings.deliver === "if-passed" && verdict === "passed" ? "apply" : "keep"),
    })
    .then((result) => {
      ready.reject(new DrydockError("runner.failed", `The agent did not start: ${describeEnd(result)}.`, ""));
      return result;
    });
  settled.catch((error: Error) => {
    gone.abort();
    talk.end(error.message);
    ready.reject(error);
  });
  ready.promise.catch(() => {});
  return { talk, stdin, stop, ready: ready.promise, settled, isOver: () => gone.signal.aborted };
}

/** Why it has gone is mostly in what it wrote to standard error. */
function describeLeaving(exitCode: number | null, lastWords: string): string {
  const words = lastWords.replace(FRAME, "").replace(/\s+/g, " ").trim().slice(-LAST_WORDS_CHARS);
  return `it ended with status ${exitCode ?? "unknown"}${words === "" ? "" : `, and wrote: ${words}`}`;
}

/** Talks with it, and ends it in order: its turn, its input, a signal, and at last everything at once. */
async function attendAgent(agent: StartedAgent, signal: AbortSignal): Promise<Harness> {
  const { talk, stdin, stop, settled, isOver } = agent;
  // Checks that still go on when the run is cancelled are not waited for.
  const onAbort = () => setTimeout(() => stop.abort(), CANCEL_MS + LEAVE_MS).unref();
  signal.addEventListener("abort", onAbort, { once: true });
  void settled.catch(() => {}).finally(() => signal.removeEventListener("abort", onAbort));
  const handle = await agent.ready;
  const leave = async () => {
    if (signal.aborted) await Promise.race([talk.cancel(), sleep(CANCEL_MS)]);
    stdin.end();
    await untilOver(isOver, LEAVE_MS);
    if (!isOver() && signal.aborted) stop.abort();
    else if (!isOver()) handle.hangUp();
    const { runId, changes, verdict, delivery } = await settled;
    return { runId, changes: changes.length, verdict, delivery };
  };
  let closing: ReturnType<typeof leave> | undefined;
  return {
    runId: handle.runId,
    send: async (line) => talk.send(line),
    read: talk.read,
    close() {
      closing ??= leave();
      return closing;
    },
  };
}

async function untilOver(isOver: () => boolean, limitMs: number): Promise<void> {
  for (let waited = 0; waited < limitMs && !isOver(); waited += 20) await sleep(20);
}

function describeEnd({ error, exitCode }: WrapResult): string {
  return error?.message ?? `it ended with status ${exitCode ?? "unknown"}`;
}

/** The changes that it goes on from: those of the turn before, unless they were delivered or discarded since. */
async function findStart(
  ledger: Ledger,
  { agent, conversation, after }: HarnessRequest,
  directory: string,
): Promise<string | null> {
  if (after === null) return null;
  const run = await ledger.getRun(after);
  const events = run ? await readAllEvents(ledger, after) : [];
  const { harness } = Object(events[0]?.data.request) as { harness?: { agent: string; conversation: string | null } };
  if (harness?.agent !== agent.name || harness.conversation !== conversation) {
    const hint = "Name the run that harness_open gave for an earlier turn of this conversation.";
    throw new DrydockError("input.invalid", `The agent can't go on from the run ${after}.`, hint, { runId: after });
  }
  const has = (type: string) => events.some((event) => event.type === type);
  const isSettled = has("layer.applied") || has("layer.discarded") || !has("checkpoint.taken");
  return isSettled || run?.workspace !== directory ? null : after;
}
