import type { SessionInfo } from "@drydock/protocol";
import type { SessionEndReason } from "../../ledger/index.ts";
import type { SandboxSession } from "../../sandbox/index.ts";
import type { Session } from "./api.ts";
import { forkSession } from "./fork-session.ts";
import { createIdleTimer } from "./idle-timer.ts";
import { rollBack } from "./roll-back.ts";
import { runStep } from "./run-step.ts";
import { sessionNotFound } from "./session-not-found.ts";
import type { SessionOrigin, SessionParts, SessionState } from "./session-parts.ts";

/** A session with a record for each step, limits and an idle timer, around an interpreter in the sandbox. */
export function createSession(parts: SessionParts, origin: SessionOrigin): Session {
  const { options, place, hooks } = parts;
  const { ledger } = parts.ports;
  const { policy, workspace } = place;
  const { wallSeconds, memoryMb } = policy.limits;
  const { language = "python" } = options;
  const { id, forkedFrom } = origin;
  const createdAt = new Date();
  let turn: Promise<unknown> = Promise.resolve();
  let reason: SessionEndReason | undefined;
  let recorded: Promise<void> | undefined;
  const state: SessionState = { ...origin, variables: new Map(origin.variables), memoryBytes: 0, cpuMs: 0, attach };
  const idle = createIdleTimer(policy.sessions.idleSeconds, () => state.live.close());
  attach(origin.live);

  /** From here on the session is in this interpreter, and ends with it. */
  function attach(live: SandboxSession): void {
    state.live = live;
    live.onOver(() => {
      if (state.live !== live) return;
      idle.stop();
      reason ??= idle.hasFired ? "idle" : "ended";
      // A session whose end can't be recorded has ended all the same.
      recorded = ledger.sessions.close(id, reason).catch(() => {});
      hooks.onClosed(id, recorded);
    });
  }

  async function close(why: SessionEndReason): Promise<void> {
    if (!state.live.isOver) reason ??= idle.hasFired ? "idle" : why;
    state.live.close();
    await turn;
    await recorded;
  }

  /** One request after the other, in the order they came. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const next = turn.then(async () => {
      if (state.live.isOver) {
        await recorded;
        throw sessionNotFound(id, await ledger.sessions.find(id).catch(() => null));
      }
      idle.stop();
      try {
        return await action();
      } finally {
        if (!state.live.isOver) idle.restart();
      }
    });
    turn = next.catch(() => {});
    return next;
  }

  function fork(count: number, signal?: AbortSignal): Promise<Session[]> {
    const { live, steps, looks } = state;
    const { variables } = state;
    const here = { id, live, steps, looks, variables, forkedFrom: { sessionId: id, step: live.kept.at(-1) ?? steps } };
    return forkSession(parts, here, { count, signal }, (copy) => createSession(parts, copy));
  }

  const session: Session = {
    id,
    fork: (count = 1, { signal } = {}) => inTurn(() => fork(count, signal)),
    exec: (code, stepOptions = {}) => inTurn(() => runStep(parts, state, code, stepOptions)),
    rollback: (to, { signal } = {}) => inTurn(() => rollBack(parts, state, to, signal)),
    stats: (): SessionInfo => ({
      sessionId: id,
      language,
      workspace,
      createdAt: createdAt.toISOString(),
      lastUsedAt: idle.lastUsed.toISOString(),
      steps: state.steps,
      tasksLeft: Math.max(0, policy.sessions.tasks - state.steps + state.looks),
      kept: state.live.kept,
      forkedFrom,
      idleSeconds: (Date.now() - idle.lastUsed.getTime()) / 1000,
      memoryBytes: state.memoryBytes,
      cpuMs: state.cpuMs,
      variables: state.variables.get(state.live.kept.at(-1) ?? state.steps) ?? {},
      limits: { wallSeconds, memoryMb },
    }),
    close: () => close("closed"),
  };
  hooks.onOpened(session, parts, close);
  return session;
}
