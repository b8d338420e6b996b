import { randomBytes } from "node:crypto";
import type { Run } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { openTestLedger } from "../../ledger/testing/open-test-ledger.ts";
import { databaseOf } from "../../ledger/testing/postgres/test-databases.ts";
import { type Boss, type Order, openBoss, openWorker, submitOrder, type WorkerPorts } from "../index.ts";

export interface TestQueue extends AsyncDisposable {
  ledger: Ledger;
  boss: Boss;
  submit(order?: Partial<Order> & { title?: string }): Promise<string>;
  work(options?: {
    slots?: number;
    offers?: string[];
    carryOut?: WorkerPorts["carryOut"];
  }): ReturnType<typeof openWorker>;
  /** Resolves when the run has ended. */
  ended(...runIds: string[]): Promise<Run[]>;
}

/** A queue in a database of its own, whose workers are in this process. */
export async function openTestQueue(): Promise<TestQueue> {
  const place = await openTestLedger();
  const { ledger } = place;
  const databaseUrl = databaseOf(place.home);
  if (databaseUrl === null) throw new Error("These tests need PostgreSQL.");
  const boss = await openBoss({ databaseUrl, supervises: true });
  await boss.sql("delete from drydock_queue.orders");
  for (const table of ["parties", "needs", "caps", "workers"]) await boss.sql(`delete from drydock_queue.${table}`);
  await boss.engine.deleteAllJobs();
  const workers: Awaited<ReturnType<typeof openWorker>>[] = [];
  const end = (run: Run) => ledger.finish(run.id, { type: "run.succeeded", data: {} });
  return {
    ledger,
    boss,
    submit({ title = "", ...order } = {}) {
      const run = { kind: "exec" as const, title, data: {} };
      return submitOrder(boss, ledger, { run, needs: [], party: "", agent: null, ...order });
    },
    async work({ slots = 1, offers = [], carryOut = async (run: Run) => void (await end(run)) } = {}) {
      const id = `worker_${randomBytes(4).toString("hex")}`;
      const described = { id, name: id, machine: "here", owner: ledger.owner, offers, slots, version: "0" };
      const worker = await openWorker({ boss, ledger, carryOut }, described);
      workers.push(worker);
      return worker;
    },
    async ended(...runIds) {
      for (;;) {
        const runs = await Promise.all(runIds.map((id) => ledger.getRun(id)));
        const over = runs.filter((run) => run?.endedAt != null) as Run[];
        if (over.length === runIds.length) return over;
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.close();
      await boss.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
