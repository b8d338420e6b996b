import { randomUUID } from "node:crypto";
import type { Cap } from "@drydock/protocol";
import type { Sql } from "../../ledger/index.ts";
import type { Order } from "../run-queue.ts";
import { CAP_SCOPES } from "./caps.ts";
import { type Boss, CHANNEL, engineIn, RUNS } from "./open-boss.ts";

/** A row of `orders`. */
export interface OrderRow {
  run_id: string;
  job: string;
  attempt: number;
  state: "waiting" | "parked" | "claimed";
  worker: string | null;
  party: string;
  agent: string | null;
  workspace: string | null;
  needs: string;
  level: number;
  tag: number | string;
}

/** A job that a worker has fetched; `retryCount` tells its attempts apart. */
export interface FetchedJob {
  id: string;
  retryCount: number;
  data: { runId: string };
}

/** The needs of a run that any worker can carry out. */
export const ANYTHING = "anything";
/** Larger than any tag, so that levels do not mix. */
const LEVEL = 100_000_000;

/**
 * Runs of different parties take turns: each run gets a tag when it is ordered, one more than that of its party's last run or than
 * the clock, whichever is greater. The clock is the greatest tag that a worker has claimed. So the tenth run of one party comes after
 * the first of another, and who comes back after a while is not given what was free meanwhile.
 */
const INSERT = `
with clock as (select coalesce((select tag from drydock_queue.parties where party = ''), 0) as tag),
next as (
  insert into drydock_queue.parties as p (party, tag) values ('party ' || $3::text, (select tag from clock) + 1)
  on conflict (party) do update set tag = greatest(p.tag, (select tag from clock)) + 1
  returning tag
),
known as (insert into drydock_queue.needs (name) values ($6::text) on conflict do nothing)
insert into drydock_queue.orders (run_id, job, party, agent, workspace, needs, level, tag)
select $1::text, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::int, tag from next
returning *`;

export async function placeOrder(boss: Boss, sql: Sql, runId: string, order: Order): Promise<void> {
  const needs = order.needs.length === 0 ? ANYTHING : [...order.needs].sort().join(" ");
  const { party, agent, priority = 0 } = order;
  const values = [runId, randomUUID(), party, agent, order.run.workspace ?? null, needs, priority];
  const [row] = await sql<OrderRow>(INSERT, values);
  if (row) await sendJob(boss, sql, row, order.startAfter);
}

async function sendJob(boss: Boss, sql: Sql, row: OrderRow, startAfter?: Date): Promise<void> {
  await boss.engine.send(
    RUNS,
    { runId: row.run_id },
    {
      ...{ id: row.job, db: engineIn(sql), group: { id: row.needs } },
      priority: row.level * LEVEL - Number(row.tag),
      ...(startAfter && { startAfter }),
    },
  );
  await sql(`select pg_notify('${CHANNEL}', '')`);
}

/** `stale`: another attempt may have the run, or nobody. `full`: it waits until others of its agent, workspace or user have ended. */
export type Admission = "admitted" | "stale" | "full";

const CLAIM = `
with clock as (
  insert into drydock_queue.parties as p (party, tag) values ('', $4)
  on conflict (party) do update set tag = excluded.tag where p.tag < excluded.tag
)
update drydock_queue.orders set state = 'claimed', worker = $2, attempt = $3 where run_id = $1`;

/** Decides about a claim, inside its transaction. */
export async function admitJob(sql: Sql, job: FetchedJob, worker: string): Promise<Admission> {
  const { runId } = job.data;
  const [row] = await sql<OrderRow>("select * from drydock_queue.orders where run_id = $1 for update", [runId]);
  if (!row || row.job !== job.id || row.attempt >= job.retryCount) return "stale";
  if (!(await hasRoom(sql, row))) {
    await sql("update drydock_queue.orders set state = 'parked' where run_id = $1", [runId]);
    return "full";
  }
  await sql(CLAIM, [runId, worker, job.retryCount, Number(row.tag)]);
  return "admitted";
}

const COLUMNS: Readonly<Record<Cap["scope"], "agent" | "workspace" | "party">> = {
  agent: "agent",
  workspace: "workspace",
  user: "party",
};

/** The rows of the caps are locked, so that two claims do not both take the last place. */
async function hasRoom(sql: Sql, row: OrderRow): Promise<boolean> {
  const [any] = await sql("select 1 from drydock_queue.caps limit 1");
  if (!any) return true;
  for (const scope of CAP_SCOPES) {
    const column = COLUMNS[scope];
    const name = row[column];
    if (name === null) continue;
    const [cap] = await sql<{ most: number }>(
      `select most from drydock_queue.caps where scope = $1 and name in ($2, '*') order by name = '*' limit 1 for update`,
      [scope, name],
    );
    if (!cap) continue;
    const [used] = await sql<{ runs: number | string }>(
      `select count(*) as runs from drydock_queue.orders where state = 'claimed' and ${column} = $1 and run_id <> $2`,
      [name, row.run_id],
    );
    if (Number(used?.runs) >= cap.most) return false;
  }
  return true;
}

const RELEASE = `
with gone as (delete from drydock_queue.orders where run_id = $1)
select exists (select 1 from drydock_queue.orders where state = 'parked') as parked`;

/** The run is not the queue's any more: it has ended, or is paused. Those that waited for its place are sent. */
export async function releaseOrder(boss: Boss, runId: string): Promise<void> {
  const [left] = await boss.sql<{ parked: boolean }>(RELEASE, [runId]);
  if (left?.parked) await sendParked(boss);
}

const MOST_PARKED = 20;

/** Sends runs that were full before, and need not wait any more. */
export async function sendParked(boss: Boss): Promise<void> {
  const [any] = await boss.sql("select 1 from drydock_queue.orders where state = 'parked' limit 1");
  if (!any) return;
  await boss.transact(async (sql) => {
    const parked = await sql<OrderRow>(
      `select * from drydock_queue.orders where state = 'parked' order by level desc, tag limit ${MOST_PARKED} for update skip locked`,
    );
    for (const row of parked) {
      if (!(await hasRoom(sql, row))) continue;
      const job = randomUUID();
      await sql("update drydock_queue.orders set state = 'waiting', job = $2, attempt = -1 where run_id = $1", [
        row.run_id,
        job,
      ]);
      await sendJob(boss, sql, { ...row, job });
    }
  });
}
