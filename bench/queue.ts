/** `npm run bench:queue [-- --runs N] [--assert]`: throughput of one and two workers, and what the queue costs beside pg-boss alone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRedactor, type Ledger, openLedger, readOwner } from "../packages/drydock/src/ledger/index.ts";
import { addressIn, startPostgres } from "../packages/drydock/src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../packages/drydock/src/ledger/testing/postgres/test-databases.ts";
import { type Boss, openBoss, openWorker, submitOrder } from "../packages/drydock/src/queue/index.ts";
import { CLI_COMMAND } from "../packages/drydock/src/surfaces/cli/testing/run-cli.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "200" }, assert: { type: "boolean", default: false } },
});
const runs = Number(values.runs);
const SLOTS = 4;
/** Runs that wait: a second each, and so many for each slot of two workers. */
const ROUNDS = 5;
const MARKS = { growth: 1.8, ownMs: 5 };

const directory = join(tmpdir(), `drydock-bench-queue-${process.pid}`);
const home = mkdtempSync(join(tmpdir(), "drydock-bench-home-"));
const databaseUrl = addressIn(directory, "bench");
const work = { kind: "exec" as const, title: "", data: {} };
const order = { run: work, needs: [], party: "", agent: null };

async function perRun(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / runs;
}

/** One after the other: sent, fetched, completed. */
async function measureEngine({ engine }: Boss): Promise<number> {
  await engine.createQueue("q", { heartbeatSeconds: 10 });
  return perRun(async () => {
    for (let n = 0; n < runs; n++) {
      await engine.send("q", { n });
      const [job] = await engine.fetch("q");
      if (job) await engine.complete("q", { id: job.id, retryCount: job.retryCount });
    }
  });
}

/** The same runs on record, carried out by this process without a queue. */
function measureLedger(ledger: Ledger): Promise<number> {
  return perRun(async () => {
    for (let n = 0; n < runs; n++) {
      const { id } = await ledger.createRun(work);
      await ledger.finish(id, { type: "run.succeeded", data: {} });
    }
  });
}

async function measureQueue(ledger: Ledger, boss: Boss): Promise<number> {
  let ended = Promise.withResolvers<void>();
  const carryOut = async ({ id }: { id: string }) => {
    await ledger.finish(id, { type: "run.succeeded", data: {} });
    ended.resolve();
  };
  const worker = {
    id: "worker_bench",
    name: "bench",
    machine: "here",
    owner: readOwner(),
    offers: [],
    slots: 1,
    version: "0",
  };
  const running = await openWorker({ boss, ledger, carryOut }, worker);
  const each = await perRun(async () => {
    for (let n = 0; n < runs; n++) {
      ended = Promise.withResolvers<void>();
      await submitOrder(boss, ledger, order);
      await ended.promise;
    }
  });
  await running.close();
  return each;
}

async function startWorker(name: string) {
  const [program, ...before] = CLI_COMMAND;
  const child = spawn(program, [...before, "worker", "--slots", String(SLOTS), "--name", name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, DRYDOCK_HOME: home, DATABASE_URL: databaseUrl },
  });
  await once(child.stdout, "data");
  return child;
}

/** Runs a second, for runs that wait for a second each. */
async function measureWorkers(ledger: Ledger, boss: Boss, policy: unknown, count: number): Promise<number> {
  const workers = await Promise.all(Array.from({ length: count }, (_, n) => startWorker(`bench-${n}`)));
  const code = "import time; time.sleep(1)";
  const request = { language: "python", code, codeChars: code.length };
  const waiting = { ...order, run: { ...work, data: { policy, request } }, needs: ["language:python"] };
  const send = (many: number) => Promise.all(Array.from({ length: many }, () => submitOrder(boss, ledger, waiting)));
  const idle = async () => {
    for (;;) {
      const [row] = await boss.sql<{ open: string }>("select count(*) as open from runs where ended_at is null");
      if (Number(row?.open) === 0) return;
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  // Each worker makes its first sandboxes before anything is measured.
  await send(count * SLOTS);
  await idle();
  const many = 2 * SLOTS * ROUNDS;
  const start = performance.now();
  await send(many);
  await idle();
  const perSecond = (many / (performance.now() - start)) * 1000;
  for (const worker of workers) {
    worker.kill("SIGTERM");
    await once(worker, "exit");
  }
  return perSecond;
}

const server = await startPostgres({ directory, durable: true });
try {
  runSql(addressIn(directory), "create database bench");
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  const ledger = await openLedger({ home, databaseUrl, redactor, owner: readOwner() });
  const boss = await openBoss({ databaseUrl, supervises: true });
  const engineMs = await measureEngine(boss);
  const ledgerMs = await measureLedger(ledger);
  const queueMs = await measureQueue(ledger, boss);
  const ownMs = queueMs - engineMs - ledgerMs;
  const { createDock } = await import("drydock");
  const dock = await createDock({ home: mkdtempSync(join(tmpdir(), "drydock-bench-policy-")), warm: 0 });
  const { effective } = await dock.policies.show();
  await dock.close();
  const one = await measureWorkers(ledger, boss, effective, 1);
  const two = await measureWorkers(ledger, boss, effective, 2);
  await boss.close();
  await ledger.close();
  const growth = two / one;
  console.log(`a run through the queue     ${queueMs.toFixed(2)} ms
  pg-boss alone             ${engineMs.toFixed(2)} ms (send, fetch, complete)
  the same run on record    ${ledgerMs.toFixed(2)} ms (created, ended)
  the queue's own           ${ownMs.toFixed(2)} ms (mark: at most ${MARKS.ownMs})
runs that wait for a second, ${SLOTS} slots a worker
  one worker                ${one.toFixed(2)} runs a second
  two workers               ${two.toFixed(2)} runs a second
  growth                    ${growth.toFixed(2)} × (mark: at least ${MARKS.growth})`);
  if (values.assert && (ownMs > MARKS.ownMs || growth < MARKS.growth)) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
