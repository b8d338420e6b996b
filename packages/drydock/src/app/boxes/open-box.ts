import { DrydockError, type EffectivePolicy, type Layer, type PolicyDocument } from "@drydock/protocol";
import { overlayRequests, pickEnvironment, type ResolvedPolicy } from "../../policy/index.ts";
import { type Mount, refusedOutcome, resolveWorkspace } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import { type BoxLink, createBoxLink } from "./box-link.ts";
import { BOX_PROGRAM } from "./inside/box-program.ts";

export interface OpenBoxRequest {
  agent: string;
  scope: string;
  workspace?: string;
  policy?: PolicyDocument;
  mounts: readonly Mount[];
  /** What it begins with, beside the workspace. */
  readFiles?(place: { runId: string; workspace: string | null; policy: EffectivePolicy }): Promise<Layer | undefined>;
}

/** A box whose program has started. */
export interface OpenedBox extends Pick<BoxLink, "call" | "listen"> {
  readonly runId: string;
  readonly resolved: ResolvedPolicy;
  /** Ends everything in it. */
  stop(): void;
  /** Resolves when it has ended, for whatever reason, and that is on record. */
  readonly ended: Promise<void>;
  readonly isOver: boolean;
}

/** The first answer of the program. */
const START_MS = 30_000;
/** Nobody looks at this terminal: it carries messages. */
const SIZE = { columns: 80, rows: 24 };

/** Starts the program that serves a box, in a sandbox of its own. It is a run; its files are on record when it ends. */
export async function openBox(ports: ExecPorts, request: OpenBoxRequest): Promise<OpenedBox> {
  const { ledger } = ports;
  const workspace = request.workspace === undefined ? null : resolveWorkspace(request.workspace, ports.own);
  const resolved = await resolveForBox(ports, workspace, request.policy);
  const { agent, scope, mounts } = request;
  const { id: runId } = await ledger.createRun({
    kind: "box",
    title: `box of ${agent}: ${scope}`,
    workspace,
    data: { policy: resolved.effective, request: { agent, scope, mounts: mounts.map(({ target }) => target) } },
  });
  const stop = new AbortController();
  let fault: DrydockError | undefined;
  let isOver = false;
  const link = createBoxLink((message) => {
    fault ??= new DrydockError("code.crash", `The box of ${agent} ${message}.`, "Call again: a new one is opened.");
    stop.abort();
  });
  const start = async () => {
    const base = await request.readFiles?.({ runId, workspace, policy: resolved.effective });
    return ports.sandbox().run({
      work: { language: "command", code: "", argv: ["python3", "-c", BOX_PROGRAM] },
      ...{ trusted: true, isService: true, project: true, policy: resolved.effective, workspace, mounts },
      ...(base && base.entries.length > 0 && { base: { layer: base, contents: createTreeContents(ledger, runId) } }),
      environment: pickEnvironment(resolved.effective.environment.allow, ports.environment),
      stdin: link.input,
      signal: stop.signal,
      rules: resolved,
      live: { terminal: SIZE, onScreen: async (bytes) => link.receive(bytes), onReady: () => {} },
    });
  };
  const run = async () => {
    const outcome = await start().catch((error: unknown) => refusedOutcome(asDrydockError(error), { workspace }));
    isOver = true;
    link.end(fault ?? explainEnd(agent, outcome.error));
    const { events, terminal } = await recordOutcome(ledger, runId, outcome);
    await ledger.finish(runId, terminal, events);
    ledger.unfinished.drop(runId);
  };
  const ended = run();
  ended.catch(() => {});
  const late = setTimeout(() => {
    fault ??= new DrydockError("limit.timeout", `The box of ${agent} did not start in 30 s.`, "Call again.");
    stop.abort();
  }, START_MS);
  try {
    await link.ready;
  } catch (error) {
    await ended.catch(() => {});
    throw error;
  } finally {
    clearTimeout(late);
  }
  return {
    ...{ runId, resolved, call: link.call, listen: link.listen, ended },
    get isOver() {
      return isOver;
    },
    stop: () => stop.abort(),
  };
}

/** It lasts: it gets all the time that the owner lets be asked for, unless the agent's policy names less. */
async function resolveForBox(
  { policies }: ExecPorts,
  workspace: string | null,
  request: PolicyDocument | undefined,
): Promise<ResolvedPolicy> {
  const { ceiling } = await policies.resolve({ workspace });
  const { wallSeconds, cpuSeconds } = ceiling.limits;
  const limits = { wallSeconds, cpuSeconds, ...request?.limits };
  const resolved = await policies.resolve({ workspace, request: { ...overlayRequests({ limits }, request), limits } });
  if (resolved.effective.files.access) return resolved;
  throw new DrydockError(
    "policy.path_denied",
    "The policy gives runs no access to files (files.access: false), which a box needs.",
    "Set `files.access: true` in the home policy.",
  );
}

function explainEnd(agent: string, error: { code: DrydockError["code"]; message: string } | null): DrydockError {
  const why = error === null || error.code === "run.cancelled" ? "" : ` ${error.message}`;
  const code = error?.code ?? "run.cancelled";
  return new DrydockError(code, `The box of ${agent} has ended.${why}`, "Call again: a new one is opened.");
}
