import { DrydockError, type WorkerInfo, type WorkerState } from "@drydock/protocol";
import type { Owner, Sql } from "../../ledger/index.ts";

export interface NewWorker {
  id: string;
  name: string;
  machine: string;
  owner: Owner;
  offers: readonly string[];
  slots: number;
  version: string;
}

interface WorkerRow {
  id: string;
  name: string;
  machine: string;
  owner: string;
  offers: string;
  slots: number;
  busy: number;
  state: WorkerState;
  version: string;
  started_at: Date;
  seen_at: Date;
  silent: boolean;
}

/** Registers the worker, or says that it is still there; returns what it was told to do meanwhile. */
export async function beat(sql: Sql, worker: NewWorker, busy: number): Promise<WorkerState> {
  const [row] = await sql<{ state: WorkerState }>(
    `insert into drydock_queue.workers as w (id, name, machine, owner, offers, slots, busy, state, version)
     values ($1, $2, $3, $4, $5, $6, $7, 'active', $8)
     on conflict (id) do update set busy = excluded.busy, seen_at = clock_timestamp()
     returning state`,
    [
      ...[worker.id, worker.name, worker.machine, JSON.stringify(worker.owner), JSON.stringify(worker.offers)],
      ...[worker.slots, busy, worker.version],
    ],
  );
  return row?.state ?? "active";
}

export async function forgetWorker(sql: Sql, id: string): Promise<void> {
  await sql("delete from drydock_queue.workers where id = $1", [id]);
}

const SILENT = "seen_at < clock_timestamp() - make_interval(secs => $1)";

export async function listWorkers(sql: Sql, leaseSeconds: number): Promise<WorkerInfo[]> {
  const rows = await sql<WorkerRow>(
    `select *, ${SILENT} as silent from drydock_queue.workers order by machine, name, id`,
    [leaseSeconds],
  );
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, machine: row.machine, pid: (JSON.parse(row.owner) as Owner).pid },
    state: row.silent ? "silent" : row.state,
    offers: JSON.parse(row.offers) as string[],
    ...{ slots: row.slots, busy: row.busy, version: row.version },
    ...{ startedAt: row.started_at.toISOString(), seenAt: row.seen_at.toISOString() },
  }));
}

/** By its id or its name. */
export async function setWorkerState(sql: Sql, worker: string, state: WorkerState): Promise<void> {
  const rows = await sql("update drydock_queue.workers set state = $2 where id = $1 or name = $1 returning id", [
    worker,
    state,
  ]);
  if (rows.length > 0) return;
  const known = await sql<{ name: string }>("select name from drydock_queue.workers order by name limit 20");
  const names = known.map(({ name }) => name).join(", ");
  throw new DrydockError(
    "input.invalid",
    `There is no worker ${worker}.`,
    names === "" ? "No worker is registered: start one with `drydock worker`." : `Those that are there: ${names}.`,
    { worker },
  );
}

/** Processes of workers that were not heard of for so long that their own runs are over. */
export async function listSilent(sql: Sql, seconds: number): Promise<{ id: string; owner: Owner }[]> {
  const rows = await sql<WorkerRow>(`select * from drydock_queue.workers where ${SILENT}`, [seconds]);
  return rows.map(({ id, owner }) => ({ id, owner: JSON.parse(owner) as Owner }));
}
