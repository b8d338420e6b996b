import { DrydockError, type Rollback } from "@drydock/protocol";
import type { SandboxSession } from "../../sandbox/index.ts";
import { readActions, type StepAction } from "../runs/session-record/read-actions.ts";
import { type SessionHistory, traceHistory } from "../runs/session-record/trace-history.ts";
import { findObstacle, rebuildState } from "./rebuild-state.ts";
import type { SessionParts, SessionState } from "./session-parts.ts";

/** The way back to a state: it is kept, or these steps lead to it. */
interface Way {
  to: number;
  path: readonly StepAction[] | null;
}

/** Returns to the state after a step: the kept one, or one that is made again from the record. */
export async function rollBack(
  parts: SessionParts,
  state: SessionState,
  to: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Rollback> {
  const { ledger } = parts.ports;
  const way = await findWay(parts, state, to);
  const { id: runId } = await ledger.createRun({
    kind: "session",
    title: `rollback to step ${way.to}`,
    sessionId: state.id,
    workspace: parts.place.workspace,
    data: { rollback: way.to },
  });
  try {
    const woken = way.path ? null : await state.live.rollback(way.to);
    const how = woken?.ok ? "kept" : "rebuilt";
    // A later step may have ended the process that held the state, or left no room for its files.
    const path = way.path ?? (woken?.ok ? [] : (await findRecordedWay(parts, state, way.to)).path);
    const notes = woken?.ok ? woken.notes : await swap(parts, state, path, signal);
    const { kept } = state.live;
    const event = { type: "step.rolled_back", data: { to: way.to, kept, how } } as const;
    await ledger.finish(runId, { type: "run.succeeded", data: { error: null, notes } }, [event]);
    return { step: way.to, kept, how, notes };
  } catch (error) {
    const known =
      error instanceof DrydockError ? error : new DrydockError("internal", String(error), "Open a new session.");
    const type = known.code === "run.cancelled" ? "run.cancelled" : "run.failed";
    await ledger.finish(runId, { type, data: { error: known.toInfo(), notes: [] } });
    throw known;
  }
}

async function findWay(parts: SessionParts, state: SessionState, to: number | undefined): Promise<Way> {
  const { kept } = state.live;
  const target = to ?? kept.at(-2);
  if (target !== undefined && kept.includes(target)) return { to: target, path: null };
  return findRecordedWay(parts, state, target);
}

async function findRecordedWay(
  parts: SessionParts,
  state: SessionState,
  target: number | undefined,
): Promise<Way & { path: readonly StepAction[] }> {
  const { kept } = state.live;
  const history = traceHistory(await readActions(parts.ports.ledger, state.id));
  const wanted = target ?? findEarlier(history);
  const path = wanted === undefined ? null : history.pathTo(wanted);
  if (wanted === undefined || path === null) throw noState(wanted, history, state);
  for (const step of path) {
    const obstacle = findObstacle(step);
    if (obstacle !== null) throw refusal(wanted, step.number, obstacle, kept);
  }
  return { to: wanted, path };
}

/** The state before the current one. */
function findEarlier({ current, pathTo }: SessionHistory): number | undefined {
  const path = pathTo(current);
  return current === 0 || path === null ? undefined : (path.at(-2)?.number ?? 0);
}

/** The session goes on in the new interpreter only when that is where it should be. */
async function swap(
  parts: SessionParts,
  state: SessionState,
  path: readonly StepAction[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const old = state.live;
  const onOpened = (live: SandboxSession) => {
    // Closing the session closes what is made for it.
    old.onOver(() => {
      if (state.live === old) live.close();
    });
  };
  const rebuilt = await rebuildState(parts, path, { onOpened, signal });
  if (old.isOver) {
    rebuilt.live.close();
    throw new DrydockError("run.cancelled", "The session was closed meanwhile.", "Open a new session.");
  }
  state.cpuMs += rebuilt.cpuMs;
  state.attach(rebuilt.live);
  old.close();
  return ["the state was not kept any more: it was made again by running the recorded steps", ...rebuilt.notes];
}

function noState(to: number | undefined, history: SessionHistory, { live, steps }: SessionState): DrydockError {
  const states = [...new Set([0, ...history.states, ...live.kept])].sort((left, right) => left - right);
  const hint = `Steps that can be returned to: ${states.join(", ")}.`;
  const isUnknown = to !== undefined && to > history.last && to <= steps;
  if (!history.isWhole || isUnknown) {
    const which = to === undefined ? "An earlier state" : `The state after step ${to}`;
    const message = `${which} is not kept, and can't be made again: records of the session were deleted.`;
    return new DrydockError("session.rollback_refused", message, hint, { states });
  }
  const message = to === undefined ? "There is no step to go back to." : `There is no state after a step ${to}.`;
  return new DrydockError("input.invalid", message, hint, { states });
}

function refusal(to: number, step: number, obstacle: string, kept: readonly number[]): DrydockError {
  return new DrydockError(
    "session.rollback_refused",
    `The state after step ${to} is not kept, and can't be made again: step ${step} can't run again, as ${obstacle}.`,
    `Steps that are kept: ${kept.join(", ") || "none"}.`,
    { step, kept },
  );
}
