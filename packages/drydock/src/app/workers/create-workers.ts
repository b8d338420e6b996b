import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { DrydockError, type Run } from "@drydock/protocol";
import manifest from "../../../package.json" with { type: "json" };
import {
  type Boss,
  createEmbeddedQueue,
  createPostgresQueue,
  LEASE_SECONDS,
  listCaps,
  listWorkers,
  machineOf,
  openBoss,
  openWorker,
  setCap,
  setWorkerState,
  submitOrder,
} from "../../queue/index.ts";
import type { ExecOptions, QueueOptions } from "../execute/api.ts";
import { execute, loadOrderExec } from "../execute/index.ts";
import type { OrderedGoals } from "../goals/api.ts";
import type { LiveWorkers, RunningWorker, WorkOptions } from "./api.ts";
import { type AwaitPorts, awaitExec } from "./await-exec.ts";
import { type CarryPorts, carryExec, type Under } from "./carry-exec.ts";
import { examineCluster } from "./examine-cluster.ts";

export interface WorkersPorts extends CarryPorts, Omit<AwaitPorts, "ledger"> {
  databaseUrl: string | null;
  goals: OrderedGoals;
}

const MOST_SLOTS = 256;
const NAME = /^[\w.-]{1,64}$/;
const LANGUAGES = ["python", "node", "bash", "command"];

export function createWorkers(ports: WorkersPorts): LiveWorkers {
  /** One that only asks is enough for most; workers keep watch over jobs. */
  const opened = new Map<"asking" | "supervising", Promise<Boss>>();
  const running = new Set<RunningWorker>();

  function open(supervises = false): Promise<Boss> {
    const { databaseUrl } = ports;
    if (databaseUrl === null) {
      throw new DrydockError(
        "input.invalid",
        "There are no workers: this ledger is a file of one machine.",
        "Set DATABASE_URL to a PostgreSQL database that all machines reach: postgres://USER@HOST/DATABASE.",
      );
    }
    const kind = supervises ? "supervising" : "asking";
    const known = opened.get("supervising") ?? opened.get(kind);
    if (known) return known;
    const boss = openBoss({ databaseUrl, supervises });
    opened.set(kind, boss);
    // A server that did not answer may answer the next time.
    boss.catch(() => opened.delete(kind));
    return boss;
  }

  async function submit(options: ExecOptions & QueueOptions) {
    const boss = await open();
    const order = await (await loadOrderExec()).orderExec(ports, options);
    // What the policy refuses is put on record at once.
    const runId = order ? await submitOrder(boss, ports.ledger, order) : (await execute(ports, options)).runId;
    options.onStarted?.(runId);
    return { runId };
  }

  return {
    isShared: ports.databaseUrl !== null,
    orderGoal: ports.goals.order,
    orderExec: async (options) => (await loadOrderExec()).orderExec(ports, options),
    async openQueue(onFault) {
      const here = createEmbeddedQueue(onFault);
      if (ports.databaseUrl === null) return here;
      return createPostgresQueue(async (order) => submitOrder(await open(), ports.ledger, order), here);
    },
    examine: async () => examineCluster(await open()),
    list: async () => listWorkers((await open()).sql, LEASE_SECONDS),
    cordon: async (worker) => setWorkerState((await open()).sql, worker, "cordoned"),
    uncordon: async (worker) => setWorkerState((await open()).sql, worker, "active"),
    drain: async (worker) => setWorkerState((await open()).sql, worker, "draining"),
    caps: async () => listCaps((await open()).sql),
    setCap: async (cap, most) => setCap((await open()).sql, cap, most),
    submit,
    exec: async (options) => awaitExec(ports, (await submit(options)).runId, options),
    async work(options = {}) {
      const described = await describeWorker(ports, options);
      const boss = await open(true);
      const { ledger } = ports;
      const carryOut = (run: Run, under: Under) => carryOutRun(ports, run, under);
      const worker = await openWorker({ boss, ledger, carryOut, onNote: options.onNote }, described);
      running.add(worker);
      return worker;
    },
    async closeAll() {
      for (const worker of running) await worker.close();
      for (const boss of opened.values()) await (await boss.catch(() => undefined))?.close();
    },
  };
}

async function carryOutRun(ports: WorkersPorts, run: Run, under: Under): Promise<void> {
  if (run.kind === "goal") return ports.goals.carryOut(run, under);
  if (run.kind === "exec") return carryExec(ports, run, under);
  throw new DrydockError(
    "input.invalid",
    `A worker of this version can't carry out runs of the kind ${run.kind}.`,
    "Use a newer one.",
  );
}

async function describeWorker(ports: CarryPorts, { slots, name, labels = [] }: WorkOptions) {
  const { effective } = await ports.policies.resolve({ workspace: null });
  const machine = hostname();
  const places = slots ?? effective.limits.concurrency;
  if (!Number.isInteger(places) || places < 1 || places > MOST_SLOTS) {
    throw new DrydockError(
      "input.invalid",
      `A worker can't have ${places} slots.`,
      `Give a whole number from 1 to ${MOST_SLOTS}.`,
    );
  }
  const shown = name ?? `${machine}-${process.pid}`;
  for (const word of [shown, ...labels]) {
    if (NAME.test(word)) continue;
    const hint = "Names and labels have 1 to 64 letters, digits, dots, dashes and underscores.";
    throw new DrydockError("input.invalid", `${JSON.stringify(word)} can't be used.`, hint);
  }
  const offers = [
    ...LANGUAGES.map((language) => `language:${language}`),
    ...effective.sandbox.backends.map((backend) => `backend:${backend}`),
    ...[machineOf(machine), ...labels.map((label) => `label:${label}`)],
  ];
  const id = `worker_${randomBytes(8).toString("hex")}`;
  return { id, name: shown, machine, owner: ports.ledger.owner, offers, slots: places, version: manifest.version };
}
