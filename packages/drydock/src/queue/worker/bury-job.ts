import type { JobWithMetadata } from "pg-boss";
import { DEAD } from "../postgres/open-boss.ts";
import { type OrderRow, releaseOrder } from "../postgres/order-store.ts";
import type { WorkerPorts } from "./open-worker.ts";

/** Ends the run of a job that was given up: whoever had it did not answer, or could not carry it out, each time. */
export async function buryJob({ boss, ledger }: WorkerPorts, job: JobWithMetadata<{ runId: string }>): Promise<void> {
  const { runId } = job.data;
  const attempts = (job.sourceRetryCount ?? 0) + 1;
  const claimed = await ledger.claims.claim(runId, { reason: "given up", attempt: attempts }, async (sql) => {
    const [row] = await sql<OrderRow>("select * from drydock_queue.orders where run_id = $1 for update", [runId]);
    return row?.job === job.sourceId;
  });
  try {
    if (claimed.kind === "claimed") {
      const reason = `It was given up after ${attempts} attempts: the workers that had it did not answer, or could not carry it out.`;
      await ledger.finish(runId, {
        type: "run.lost",
        data: { reason, attempts, isRetryable: true, last: job.sourceOutput },
      });
    }
  } finally {
    ledger.claims.drop(runId);
  }
  if (claimed.kind !== "refused") await releaseOrder(boss, runId);
  await boss.engine.complete(DEAD, { id: job.id, retryCount: job.retryCount });
}
