import { DrydockError, type Rollback } from "@drydock/protocol";
import type { SandboxSession } from "../../sandbox/index.ts";
import { type RecordedStep, readSessionRecord } from "../runs/session-record/read-session-record.ts";
import { type SessionHistory, traceHistory } from "../runs/session-record/trace-history.ts";
import { rebuildSession } from "./rebuild-session.ts";
import type { SessionParts, SessionState } from "./session-parts.ts";

/** The way back to a state: it is kept, or these steps lead to it. */
type Way = { to: number; path: readonly RecordedStep[] | null };

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
    const notes = way.path ? await swap(parts, state, way.path, signal) : await wake(state, way.to);
    const how = way.path ? "rebuilt" : "kept";
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
  const history = traceHistory(await readSessionRecord(parts.ports.ledger, state.id));
  const wanted = target ?? findEarlier(history);
  const path = wanted === undefined ? null : history.pathTo(wanted);
  if (wanted === undefined || path === null) throw noState(wanted, history);
  const obstacle = path.find((step) => step.obstacle !== null);
  if (obstacle) throw refusal(wanted, obstacle, kept);
  return { to: wanted, path };
}

/** The state before the current one. */
function findEarlier({ current, pathTo }: SessionHistory<RecordedStep>): number | undefined {
  return current === 0 ? undefined : (pathTo(current)?.at(-2)?.step ?? 0);
}

async function wake(state: SessionState, to: number): Promise<string[]> {
  const outcome = await state.live.rollback(to);
  if (!outcome.ok) throw new DrydockError("internal", outcome.reason, "Open a new session.");
  return outcome.notes;
}

/** The session goes on in the new interpreter only when that is where it should be. */
async function swap(
  parts: SessionParts,
  state: SessionState,
  path: readonly RecordedStep[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const old = state.live;
  const onOpened = (live: SandboxSession) => {
    // Closing the session closes what is made for it.
    old.onOver(() => {
      if (state.live === old) live.close();
    });
  };
  const rebuilt = await rebuildSession(parts, path, { onOpened, signal });
  if (old.isOver) {
    rebuilt.live.close();
    throw new DrydockError("run.cancelled", "The session was closed meanwhile.", "Open a new session.");
  }
  state.cpuMs += rebuilt.cpuMs;
  state.attach(rebuilt.live);
  old.close();
  return ["the state was not kept any more: it was made again by running the recorded steps", ...rebuilt.notes];
}

function noState(to: number | undefined, { states }: SessionHistory<RecordedStep>): DrydockError {
  return new DrydockError(
    "input.invalid",
    to === undefined ? "There is no step to go back to." : `There is no state after a step ${to}.`,
    `Steps that can be returned to: ${[0, ...states].join(", ")}.`,
    { states },
  );
}

function refusal(to: number, { step, obstacle }: RecordedStep, kept: readonly number[]): DrydockError {
  return new DrydockError(
    "session.rollback_refused",
    `The state after step ${to} is not kept, and can't be made again: step ${step} can't run again, as ${obstacle}.`,
    `Steps that are kept: ${kept.join(", ") || "none"}.`,
    { step, kept },
  );
}
