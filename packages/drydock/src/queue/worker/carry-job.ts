import { hasEnded } from "@drydock/protocol";
import { isClaimLost } from "../../ledger/index.ts";
import { RUNS } from "../postgres/open-boss.ts";
import { type Admission, admitJob, releaseOrder } from "../postgres/order-store.ts";
import type { Entry } from "./hands.ts";
import type { WorkerPorts } from "./open-worker.ts";

/** Claims the run of a job, carries it out, and settles the job. Never rejects: what fails is the queue's to repeat. */
export async function carryJob(ports: WorkerPorts, worker: string, entry: Entry): Promise<void> {
  const { boss } = ports;
  const { job, lost } = entry;
  const attempt = { id: job.id, retryCount: job.retryCount };
  try {
    const isOver = await carry(ports, worker, entry);
    if (isOver && !lost.signal.aborted) await boss.engine.complete(RUNS, attempt);
    else await boss.engine.fail(RUNS, attempt, { message: "The run was handed back." });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isLost = isClaimLost(error) || lost.signal.aborted;
    if (!isLost) ports.onNote?.(`Run ${job.data.runId} could not be carried out here: ${message}`);
    // Of another attempt this says nothing. Where it can't be told, the lease ends by itself.
    await boss.engine.fail(RUNS, attempt, { message }).catch(() => {});
  }
}

/** Whether the job has done its part: false hands it to the next worker. */
async function carry({ boss, ledger, carryOut }: WorkerPorts, worker: string, { job, lost }: Entry): Promise<boolean> {
  const { runId } = job.data;
  let admission: Admission = "stale";
  const data = { worker, attempt: job.retryCount };
  const claimed = await ledger.claims.claim(runId, data, async (sql) => {
    admission = await admitJob(sql, job, worker);
    return admission === "admitted";
  });
  if (claimed.kind === "refused") return true;
  if (claimed.kind !== "claimed") {
    await releaseOrder(boss, runId);
    return true;
  }
  try {
    await carryOut(claimed.run, { signal: lost.signal, isTakenOver: claimed.isTakenOver });
  } finally {
    ledger.claims.drop(runId);
  }
  const run = await ledger.getRun(runId);
  if (run && !hasEnded(run) && run.status !== "paused") return false;
  await releaseOrder(boss, runId);
  return true;
}
