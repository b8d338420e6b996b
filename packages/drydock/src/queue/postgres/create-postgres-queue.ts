import type { Ledger } from "../../ledger/index.ts";
import type { Order, RunQueue } from "../run-queue.ts";
import type { Boss } from "./open-boss.ts";
import { placeOrder } from "./order-store.ts";

type SubmitLedger = Pick<Ledger, "claims" | "createRun" | "blobs">;

/** Puts a run on record, and its job into the queue: both, or neither. */
export async function submitOrder(boss: Boss, ledger: SubmitLedger, order: Order): Promise<string> {
  const { needs, party, priority = 0, startAfter } = order;
  const data = { needs, party, priority, ...(startAfter && { startAfter: startAfter.toISOString() }) };
  if (!order.contents?.length) {
    const { id } = await ledger.claims.queueRun(order.run, data, (sql, runId) => placeOrder(boss, sql, runId, order));
    return id;
  }
  // Until it waits it is this process's, and is lost with it.
  const { id } = await ledger.createRun(order.run);
  await ledger.blobs.putAll(order.contents, { runId: id });
  await ledger.claims.queueAgain(id, data, (sql) => placeOrder(boss, sql, id, order));
  return id;
}

/** Runs go to workers, by `submit`. What only this process can do is done by `here`. */
export function createPostgresQueue(submit: (order: Order) => Promise<string>, here: RunQueue): RunQueue {
  return {
    ...here,
    async start(work) {
      const order = await work.order?.();
      return order ? submit(order) : here.start(work);
    },
  };
}
