import { DrydockError, hasEnded, type Run, type RunKind } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Goals } from "../goals/api.ts";
import { requireRun } from "./require-run.ts";

/** Runs that poll the ledger for requests while they are under way. */
const HEARING: readonly RunKind[] = ["goal", "task", "workflow", "agent", "capability", "runner", "knowledge"];

/** Asks the process that holds a run to end it. A goal or capability that no process holds is ended here. */
export async function cancelRun({ ledger, goals }: { ledger: Ledger; goals: Goals }, runId: string): Promise<void> {
  // A run whose process is gone has ended, even without a terminal event.
  await ledger.recover();
  const run = await requireRun(ledger, runId);
  const { kind, status } = run;
  if (hasEnded(run)) {
    const data = { runId, status };
    throw new DrydockError(
      "input.invalid",
      `Run ${runId} has ended (${status}).`,
      "It is already over; nothing was cancelled.",
      data,
    );
  }
  if (status === "queued") return cancelQueued(ledger, runId);
  if (kind === "goal") return goals.cancel(runId);
  // It waits for an approval, which is not needed any more.
  if (kind === "capability" && status !== "running") return endCancelled(ledger, runId);
  const [created] = await ledger.events(runId, { limit: 1 });
  const { parentRunId, hears } = created?.data ?? {};
  if (HEARING.includes(kind) || (Array.isArray(hears) && hears.includes("cancel"))) {
    return ledger.requests.send(runId, "cancel");
  }
  throw new DrydockError(
    "input.invalid",
    `Run ${runId} can't be cancelled from here: it is of the kind ${kind}.`,
    advise(run, parentRunId),
    { runId, kind, ...(typeof parentRunId === "string" && { parentRunId }) },
  );
}

async function endCancelled(ledger: Ledger, runId: string): Promise<void> {
  const error = new DrydockError("run.cancelled", "The run was cancelled.", "Call it again when you want it.").toInfo();
  const data = { verdict: "unverified", treeHash: null, error, durationMs: 0 };
  await ledger.finish(runId, { type: "run.cancelled", data });
}

/** A worker may claim it at this moment, and is asked then. */
async function cancelQueued(ledger: Ledger, runId: string): Promise<void> {
  try {
    await endCancelled(ledger, runId);
  } catch (error) {
    if ((await ledger.getRun(runId))?.status !== "running") throw error;
    await ledger.requests.send(runId, "cancel");
  }
}

function advise({ sessionId }: Run, parentRunId: unknown): string {
  if (typeof parentRunId === "string") return `It is a part of ${parentRunId}: cancel that one.`;
  if (sessionId !== null) return `Close its session: \`drydock session close ${sessionId}\`.`;
  return "End it where it was started: by Ctrl-C, the caller's signal or the request's connection.";
}
