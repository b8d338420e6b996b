import { DrydockError, type StepResult } from "@drydock/protocol";
import type { Session, StepOptions } from "../api.ts";
import type { SessionAction } from "./list-actions.ts";

interface ActionOptions extends Pick<StepOptions, "signal" | "parentRunId"> {
  /** The code of a step, and what it is run with. */
  readStep(action: SessionAction & { kind: "step" }): { code: string } & StepOptions;
  /** Called after each step, with its result. */
  onStep?(action: SessionAction & { kind: "step" }, result: StepResult): Promise<void>;
  /** Called after each rollback. */
  onRollback?(action: SessionAction & { kind: "rollback" }, kept: number[]): Promise<void>;
}

/** Ends a Python step at once and leaves the state as it was: the number of a step that was cancelled is used up. */
const LEAVE = "raise SystemExit(1)";

/**
 * Does in a fresh session what is on record for another, in order. A fork is not made: the session itself goes on as the
 * copy did.
 */
export async function carryOutActions(
  session: Session,
  actions: readonly SessionAction[],
  { readStep, onStep, onRollback, signal, parentRunId }: ActionOptions,
): Promise<void> {
  for (const action of actions) {
    signal?.throwIfAborted();
    if (action.kind === "fork") continue;
    if (action.kind === "rollback") {
      const { kept } = await session.rollback(action.to);
      await onRollback?.(action, kept);
      continue;
    }
    if (action.kind === "gap") {
      if (session.stats().language !== "python") throw cancelledStep(action.number);
      await session.exec(LEAVE, { signal, parentRunId });
      continue;
    }
    const { code, ...options } = readStep(action);
    const result = await session.exec(code, { ...options, signal, parentRunId });
    await onStep?.(action, result);
  }
}

function cancelledStep(number: number): DrydockError {
  return new DrydockError(
    "input.invalid",
    `Step ${number} of the session was cancelled, and a Node session keeps what such a step had done by then.`,
    "Name a step before it.",
    { step: number },
  );
}
