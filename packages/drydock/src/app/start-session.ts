import { randomBytes } from "node:crypto";
import { DrydockError, type EffectivePolicy, type ErrorInfo, type SessionInfo } from "@drydock/protocol";
import type { Ledger } from "../ledger/index.ts";
import { pickEnvironment } from "../policy/index.ts";
import {
  attendMember,
  checkLevel,
  describeGuard,
  describeLimits,
  type Sandbox,
  type Shelf,
  TO_WARDEN,
  type Transcript,
} from "../sandbox/index.ts";
import type { Session, SessionOptions, StepOptions, StepResult } from "./dock.ts";
import { decodeOutput, nameParent, refuse, withUnsafe } from "./exec.ts";
import type { Policies } from "./policies.ts";
import { titleOf } from "./read-request.ts";
import { readStepReport } from "./read-step-report.ts";
import { settleExecution } from "./settle-execution.ts";

export interface SessionPorts {
  ledger: Ledger;
  policies: Policies;
  own: readonly string[];
  sandbox: () => Sandbox;
  environment: Record<string, string | undefined>;
}

/** A step whose process ended with status 0 before it could be kept. */
const LEFT_EARLY: ErrorInfo = {
  code: "code.exit",
  message: "The step ended its interpreter (os._exit or alike), so that nothing of it could be kept.",
  hint: "Let the step run to its end. sys.exit(0) is fine.",
  exitCode: 0,
};

/** What a step that only looks ends with: a step that does not succeed leaves everything as it was. */
const LOOKED = 75;

/** A timer asked for longer than this fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What the keeper of all sessions wants to hear. */
export interface SessionHooks {
  onClosed(id: string, idle: boolean): void;
  onStep(ok: boolean): void;
}

export async function startSession(
  ports: SessionPorts,
  options: SessionOptions,
  policy: EffectivePolicy,
  workspace: string | null,
  hooks: SessionHooks,
  extras: { shelves?: readonly Shelf[]; environment?: Record<string, string> } = {},
): Promise<Session> {
  const language = options.language ?? "python";
  const sandbox = ports.sandbox();
  const id = `ses_${Date.now().toString(36)}${randomBytes(10).toString("hex")}`;
  const environment = { ...pickEnvironment(policy.environment.allow, ports.environment), ...extras.environment };
  const { signal, onReading } = options;
  const prepared = await sandbox.prepare({
    policy,
    workspace,
    environment,
    shelves: extras.shelves,
    signal,
    onReading,
  });
  const crew = language === "node" ? "node" : environment.PYTHONPATH ? "python" : "data";
  const { member, level, refill } = await sandbox.fleet.take(crew);
  const known = new Map<string, string>();
  const createdAt = new Date();
  let lastUsed = createdAt;
  let steps = 0;
  let looks = 0;
  let kept: number[] = [];
  let usage = { memoryBytes: 0, cpuMs: 0 };
  let closed = false;
  let closeAsked = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function end(idle: boolean): void {
    if (closed) return;
    closed = true;
    clearTimeout(idleTimer);
    prepared.release();
    member.close();
    refill();
    hooks.onClosed(id, idle);
  }

  function restartIdleTimer(): void {
    clearTimeout(idleTimer);
    lastUsed = new Date();
    idleTimer = setTimeout(() => end(true), Math.min(policy.sessions.idleSeconds * 1000, LONGEST_TIMER_MS)).unref();
  }

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = turn.then(() => {
      if (closed)
        throw new DrydockError(
          "session.not_found",
          `The session ${id} is closed.`,
          "`drydock session open` starts another.",
          { sessionId: id },
        );
      return action();
    });
    turn = next.catch(() => {});
    return next;
  }

  /** Sends, and follows until the warden has told the end. A member that is gone takes its session along. */
  async function follow(frames: [string, string][], attention: StepOptions = {}): Promise<Transcript> {
    clearTimeout(idleTimer);
    member.send(...frames);
    const transcript = await attendMember(member, {
      spool: sandbox.spool,
      known,
      signal: attention.signal,
      onOutput: attention.onOutput && decodeOutput(attention.onOutput),
    });
    if (transcript.done === null && closeAsked) transcript.done = { ending: { kind: "cancelled" } };
    if (transcript.done === null || transcript.done.over || !member.alive) end(false);
    else restartIdleTimer();
    kept = transcript.done?.kept ?? kept;
    return transcript;
  }

  async function step(code: string, stepOptions: StepOptions): Promise<StepResult> {
    const look = stepOptions.look === true && language === "python";
    if (!look && steps - looks >= policy.sessions.tasks) {
      throw new DrydockError(
        "session.task_limit",
        `The session has run ${steps - looks} steps, and the policy allows ${policy.sessions.tasks}.`,
        "Open another session, or raise the limit: `drydock policy set sessions.tasks 100`.",
        { steps },
      );
    }
    const narrowed = await ports.policies.resolve({
      workspace,
      request: withUnsafe(stepOptions.policy ?? options.policy, stepOptions.unsafe === true),
      preset: options.preset,
    });
    const stepPolicy = { ...narrowed.effective, network: policy.network, files: policy.files };
    const { id: runId } = await ports.ledger.createRun({
      kind: "session",
      title: titleOf(ports.ledger, { language, code }),
      sessionId: id,
      workspace,
      data: {
        policy: stepPolicy,
        request: { language, code, step: steps + 1, ...(look && { look }) },
        ...nameParent(stepOptions),
      },
    });
    if (stepOptions.signal?.aborted) {
      const cancelled = new DrydockError("run.cancelled", "The step was cancelled before it started.", "Run it again.");
      const refused = await refuse(ports.ledger, runId, cancelled);
      return { ...refused, sessionId: id, step: steps, kept, variables: {} };
    }
    steps++;
    if (look) looks++;
    const message = { limits: describeLimits(stepPolicy), guard: describeGuard(stepPolicy) };
    const transcript = await follow(
      [
        [TO_WARDEN.step, JSON.stringify(message)],
        [TO_WARDEN.code, `${code.toWellFormed()}${look ? `\nraise SystemExit(${LOOKED})` : ""}`],
      ],
      stepOptions,
    );
    usage = {
      memoryBytes: transcript.done?.memoryBytes ?? 0,
      cpuMs: usage.cpuMs + (transcript.done?.usage?.cpuMs ?? 0),
    };
    const ending = transcript.done?.ending;
    if (look && ending?.kind === "exited" && ending.exitCode === LOOKED) ending.exitCode = 0;
    const execution = {
      transcript,
      report: { backend: "namespaces", level },
      view: prepared.view,
      network: prepared.network,
      complaint: transcript.done?.alive === false && !look ? LEFT_EARLY : undefined,
    } as const;
    const work = { language, code, filename: `<step ${steps}>` };
    const settled = await settleExecution(ports.ledger, runId, work, stepPolicy, execution, narrowed);
    const report = readStepReport(transcript.report);
    if (report.threadsLost.length > 0) {
      settled.result.notes.push(
        `threads of earlier steps do not run in this one (a step starts from a copy of the interpreter, which carries no threads): ${report.threadsLost.join(", ")}`,
      );
    }
    if (closed) settled.result.notes.push("the session has ended with this step");
    await ports.ledger.finish(runId, settled.terminal, settled.events);
    if (!look) hooks.onStep(settled.result.ok);
    return { ...settled.result, runId, sessionId: id, step: steps, kept, variables: report.variables };
  }

  async function rollback(to: number | undefined): Promise<{ step: number; kept: number[]; notes: string[] }> {
    const target = to ?? kept.at(-2);
    if (language === "node")
      throw new DrydockError(
        "input.invalid",
        "Node sessions keep their state and have no rollback.",
        "Use a Python session, or open a new one.",
      );
    if (target === undefined || !kept.includes(target)) {
      throw new DrydockError(
        "input.invalid",
        target === undefined ? "There is no step to go back to." : `Step ${target} is not kept.`,
        `Steps that can be returned to: ${kept.join(", ") || "none"}.`,
        { kept },
      );
    }
    const { id: runId } = await ports.ledger.createRun({
      kind: "session",
      title: `rollback to step ${target}`,
      sessionId: id,
      workspace,
      data: { rollback: target },
    });
    const { done } = await follow([[TO_WARDEN.rollback, JSON.stringify({ to: target })]]);
    const notes = done?.notes ?? [];
    const ok = done?.ending.kind === "rolledBack";
    const error = ok
      ? null
      : {
          code: "internal",
          message: String(done?.ending.reason ?? "the session is gone"),
          hint: "Open a new session.",
        };
    await ports.ledger.finish(
      runId,
      { type: ok ? "run.succeeded" : "run.failed", data: { error, notes } },
      ok ? [{ type: "step.rolled_back", data: { to: target, kept } }] : [],
    );
    if (error) throw new DrydockError("internal", error.message, error.hint);
    return { step: target, kept, notes };
  }

  try {
    checkLevel(level, policy);
    const request = {
      ...prepared.warden,
      input: false,
      code: {
        mode: "session",
        limits: describeLimits(policy),
        environment: prepared.environment,
        guard: describeGuard(policy),
      },
    };
    const { done } = await follow([
      [TO_WARDEN.request, JSON.stringify(request)],
      [TO_WARDEN.code, ""],
    ]);
    if (done?.ending.kind !== "opened")
      throw new DrydockError(
        "sandbox.unavailable",
        `The session could not be opened: ${done?.ending.reason ?? "its process is gone"}`,
        "Run `drydock doctor`.",
        { unheard: !done },
      );
  } catch (error) {
    end(false);
    throw error;
  }
  // Between steps nobody follows the member: if it dies then, the session ends at once, not at its next step.
  member.onGone(() => end(false));
  return {
    id,
    exec: (code, stepOptions = {}) => inTurn(() => step(code, stepOptions)),
    rollback: (to) => inTurn(() => rollback(to)),
    stats: (): SessionInfo => ({
      sessionId: id,
      language,
      workspace,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsed.toISOString(),
      steps,
      tasksLeft: Math.max(0, policy.sessions.tasks - steps + looks),
      kept,
      idleSeconds: (Date.now() - lastUsed.getTime()) / 1000,
      ...usage,
    }),
    close: async () => {
      closeAsked = true;
      end(false);
      await turn;
    },
  };
}
