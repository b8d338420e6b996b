import { AFTER_END_EVENTS, DrydockError, type RunEvent } from "@drydock/protocol";
import type { ApplyOptions, Delivered } from "../deliveries/api.ts";
import { readAutorun } from "../deliveries/index.ts";
import type { GoalResult } from "./api.ts";
import type { GoalRun } from "./continue-run.ts";
import type { GoalPorts } from "./goal-ports.ts";

type Delivery = Pick<GoalResult, "delivery" | "notes" | "error">;

const KEPT: Delivery = { delivery: "kept", notes: [], error: null };
const NOTHING: Delivery = { delivery: "nothing", notes: [], error: null };

/** Only what passed goes out, and only where it is wanted. What can't go out now stays in the run. */
export async function deliverGoal(
  ports: GoalPorts,
  { runId, request, watch }: GoalRun,
  onEvent: (event: RunEvent) => void,
): Promise<Delivery> {
  const run = await ports.ledger.getRun(runId);
  if (run?.verdict !== "passed") return NOTHING;
  const before = await ports.readEvents(runId);
  const fate = before.findLast((event) => AFTER_END_EVENTS.includes(event.type));
  // Changes that were discarded or reverted stay so.
  if (fate) return fate.type === "layer.applied" ? { ...NOTHING, delivery: "applied" } : KEPT;
  if (request.apply === "never") return KEPT;
  if (request.apply === "ask" && !(await watch.confirm?.(runId))) return KEPT;
  try {
    const { outcome, notes } = await applyOrAsk(
      (options) => ports.apply(runId, { ...(request.branch !== null && { branch: request.branch }), ...options }),
      async (autorun) => request.apply === "ask" && (await watch.confirm?.(runId, autorun)) === true,
    );
    for (const event of (await ports.readEvents(runId)).slice(before.length)) onEvent(event);
    return { delivery: outcome === "nothing" ? "nothing" : "applied", notes: [...notes], error: null };
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    return { ...KEPT, error: error.toInfo() };
  }
}

/** Files that run by themselves go out only where somebody has seen their list and said yes. */
async function applyOrAsk(
  apply: (options: ApplyOptions) => Promise<Delivered>,
  confirm: (autorun: ReturnType<typeof readAutorun>) => Promise<boolean>,
): Promise<Delivered> {
  try {
    return await apply({});
  } catch (error) {
    const autorun = readAutorun(error);
    if (autorun.length === 0 || !(await confirm(autorun))) throw error;
    return apply({ allowAutorun: true });
  }
}
