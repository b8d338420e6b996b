import { countWord, DrydockError, type EffectivePolicy, type SessionInfo, type StepResult } from "@drydock/protocol";
import { keepSessionAccess, withoutGuard } from "../../policy/index.ts";
import { titleOf } from "../execute/index.ts";
import { decodeOutput } from "../runs/decode-output.ts";
import { nameParent, nameReplayed, titleOfReplay } from "../runs/exec-ports.ts";
import { keepOutput } from "../runs/record/keep-output.ts";
import { recordOutcome } from "../runs/record/record-outcome.ts";
import { asDrydockError, refuseRun } from "../runs/refuse-run.ts";
import type { Session, StepOptions } from "./api.ts";
import { chooseRollback } from "./choose-rollback.ts";
import { forkSession } from "./fork-session.ts";
import { createIdleTimer } from "./idle-timer.ts";
import type { SessionOrigin, SessionParts, SessionPlace } from "./session-parts.ts";

/** A session with a record for each step, limits and an idle timer, around an interpreter in the sandbox. */
export function createSession(parts: SessionParts, origin: SessionOrigin): Session {
  const { ports, options, place, hooks } = parts;
  const { ledger } = ports;
  const { policy, workspace } = place;
  const { language = "python" } = options;
  const { id, live, forkedFrom } = origin;
  const createdAt = new Date();
  let { steps, looks } = origin;
  let usage = { memoryBytes: 0, cpuMs: 0 };
  let turn: Promise<unknown> = Promise.resolve();
  const idle = createIdleTimer(policy.sessions.idleSeconds, () => live.close());
  live.onOver(() => {
    idle.stop();
    hooks.onClosed(id, idle.hasFired);
  });

  /** One request after the other, in the order they came. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = turn.then(async () => {
      if (live.isOver) throw closedSession(id);
      idle.stop();
      try {
        return await action();
      } finally {
        if (!live.isOver) idle.restart();
      }
    });
    turn = next.catch(() => {});
    return next;
  }

  async function step(code: string, stepOptions: StepOptions): Promise<StepResult> {
    const look = stepOptions.look === true && language === "python";
    if (!look && steps - looks >= policy.sessions.tasks) throw tooManySteps(steps - looks, policy.sessions.tasks);
    const requestedPolicy = stepOptions.policy ?? options.policy;
    const request = stepOptions.unsafe ? withoutGuard(requestedPolicy) : requestedPolicy;
    const rules = await ports.policies.resolve({ workspace, request, preset: options.preset });
    const stepPolicy = keepSessionAccess(rules.effective, policy);
    const { replayOf } = stepOptions;
    const { id: runId } = await ledger.createRun({
      kind: "session",
      title: replayOf === undefined ? titleOf(ledger, { language, code }) : titleOfReplay(replayOf),
      sessionId: id,
      workspace,
      data: {
        policy: stepPolicy,
        request: { language, code, step: steps + 1, ...(look && { look }), ...(forkedFrom && { forkedFrom }) },
        ...(steps === 0 && describeOpening(place, rules.effective)),
        ...nameParent(stepOptions),
        ...nameReplayed(stepOptions),
      },
    });
    if (stepOptions.signal?.aborted) {
      const cancelled = new DrydockError("run.cancelled", "The step was cancelled before it started.", "Run it again.");
      return refuse(runId, cancelled);
    }
    steps++;
    if (look) looks++;
    const output = keepOutput(ledger, async () => runId);
    const listener = stepOptions.onOutput && decodeOutput(stepOptions.onOutput);
    const stepRequest = {
      code,
      filename: `<step ${steps}>`,
      policy: stepPolicy,
      rules,
      look,
      signal: stepOptions.signal,
      onOutput: (stream: "stdout" | "stderr", bytes: Buffer) => {
        output.hear(stream, bytes);
        listener?.(stream, bytes);
      },
    };
    const outcome = await live.step(stepRequest).finally(output.stop).catch(asDrydockError);
    if (outcome instanceof DrydockError) return refuse(runId, outcome);
    usage = { memoryBytes: outcome.memoryBytes, cpuMs: usage.cpuMs + outcome.usage.cpuMs };
    const { result, events, terminal } = await recordOutcome(ledger, runId, outcome);
    await ledger.finish(runId, terminal, events);
    output.drop();
    if (!look) hooks.onStep(result.ok);
    return { ...result, runId, sessionId: id, step: steps, kept: live.kept, variables: outcome.variables };
  }

  async function refuse(runId: string, error: DrydockError): Promise<StepResult> {
    const refused = await refuseRun(ledger, runId, error);
    return { ...refused, sessionId: id, step: steps, kept: live.kept, variables: {} };
  }

  async function rollback(to: number | undefined): Promise<{ step: number; kept: number[]; notes: string[] }> {
    const target = chooseRollback(language, live.kept, to);
    const { id: runId } = await ledger.createRun({
      kind: "session",
      title: `rollback to step ${target}`,
      sessionId: id,
      workspace,
      data: { rollback: target },
    });
    const outcome = await live.rollback(target);
    if (!outcome.ok) {
      const error = { code: "internal", message: outcome.reason, hint: "Open a new session." } as const;
      await ledger.finish(runId, { type: "run.failed", data: { error, notes: [] } });
      throw new DrydockError(error.code, error.message, error.hint);
    }
    const { kept } = live;
    const { notes } = outcome;
    const event = { type: "step.rolled_back", data: { to: target, kept } } as const;
    await ledger.finish(runId, { type: "run.succeeded", data: { error: null, notes } }, [event]);
    return { step: target, kept, notes };
  }

  function fork(count: number): Promise<Session[]> {
    const here = { id, live, steps, looks, forkedFrom: { sessionId: id, step: live.kept.at(-1) ?? steps } };
    return forkSession(parts, here, count, (copy) => createSession(parts, copy));
  }

  const session: Session = {
    id,
    fork: (count = 1) => inTurn(() => fork(count)),
    exec: (code, stepOptions = {}) => inTurn(() => step(code, stepOptions)),
    rollback: (to) => inTurn(() => rollback(to)),
    stats: (): SessionInfo => ({
      sessionId: id,
      language,
      workspace,
      createdAt: createdAt.toISOString(),
      lastUsedAt: idle.lastUsed.toISOString(),
      steps,
      tasksLeft: Math.max(0, policy.sessions.tasks - steps + looks),
      kept: live.kept,
      forkedFrom,
      idleSeconds: (Date.now() - idle.lastUsed.getTime()) / 1000,
      ...usage,
    }),
    close: async () => {
      live.close();
      await turn;
    },
  };
  hooks.onOpened(session);
  return session;
}

/** What the first step adds for those who open such a session again: what its own record does not have. */
function describeOpening({ policy, packages }: SessionPlace, ofStep: EffectivePolicy): Record<string, unknown> {
  const opened = {
    ...(policy !== ofStep && { policy }),
    ...(packages && { requirements: packages.requirements }),
  };
  return Object.keys(opened).length === 0 ? {} : { opened };
}

function closedSession(id: string): DrydockError {
  return new DrydockError(
    "session.not_found",
    `The session ${id} is closed.`,
    "`drydock session open` starts another.",
    { sessionId: id },
  );
}

function tooManySteps(steps: number, allowed: number): DrydockError {
  return new DrydockError(
    "session.task_limit",
    `The session has run ${countWord(steps, "step")}, and the policy allows ${allowed}.`,
    "Open another session, or raise the limit: `drydock policy set sessions.tasks 100`.",
    { steps },
  );
}
