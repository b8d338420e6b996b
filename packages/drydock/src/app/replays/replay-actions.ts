import { type Divergence, DrydockError, type EffectivePolicy, type RunEvent } from "@drydock/protocol";
import type { Input } from "../runs/api.ts";
import type { SessionAction, StepAction } from "../runs/session-record/read-actions.ts";
import type { Session } from "../sessions/api.ts";
import { compareExecutions, compareFacts } from "./compare-executions.ts";
import type { ReplayPorts, ReplayRequest } from "./replayer.ts";

/** What is done again. A step has what it is run with. */
export type ReplayAction =
  | Exclude<SessionAction, StepAction>
  | (StepAction & { again: { code: string; look: boolean; policy: EffectivePolicy; stdin: Input | undefined } });

export interface ReplayedActions {
  /** The replay of each step, by the id of the step's run. */
  replays: Map<string, string>;
  treeHash: string | null;
  divergences: Divergence[];
}

/** Fails at once and leaves the state as it was: the number of a step that was cancelled is used up. */
const LEAVE = "raise SystemExit(1)";

/**
 * Does in a fresh session what is on record for another, in order, and compares each step. A fork is not made: the session
 * itself goes on as the fork did.
 */
export async function replayActions(
  ports: ReplayPorts,
  session: Session,
  actions: readonly ReplayAction[],
  { signal, parentRunId }: ReplayRequest,
): Promise<ReplayedActions> {
  const replayed: ReplayedActions = { replays: new Map(), treeHash: null, divergences: [] };
  const { replays, divergences } = replayed;
  let last = "the first step";
  try {
    for (const action of actions) {
      signal.throwIfAborted();
      const { run, events } = action.record;
      if (action.kind === "gap") await session.exec(LEAVE, { signal, parentRunId });
      if (action.kind === "rollback") {
        const { kept } = await session.rollback(action.to, { signal });
        divergences.push(...compareKept(action.to, events, kept));
      }
      if (action.kind !== "step") continue;
      last = `step ${action.number}`;
      const { code, ...options } = action.again;
      const { runId, treeHash } = await session.exec(code, { ...options, replayOf: run.id, signal, parentRunId });
      replays.set(run.id, runId);
      replayed.treeHash = treeHash || replayed.treeHash;
      divergences.push(...compareExecutions(last, events, await ports.readEvents(runId)));
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DrydockError)) throw error;
    divergences.push({ step: last, what: "the session", recorded: "open", replayed: error.message });
  }
  return replayed;
}

/** A fork keeps fewer steps than the session that goes on in its place. */
function compareKept(to: number, events: readonly RunEvent[], kept: readonly number[]): Divergence[] {
  const was = events.find(({ type }) => type === "step.rolled_back")?.data.kept;
  const isSame = Array.isArray(was) && was.every((step) => kept.includes(step));
  return isSame ? [] : compareFacts(`rollback to step ${to}`, { kept: was }, { kept });
}
