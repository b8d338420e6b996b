import type { Sql } from "../../ledger/index.ts";

/**
 * What the queue knows beside the engine's jobs, in a schema of its own. A row of `orders` lives from the moment a run waits until it
 * has ended; the others are few.
 *
 *   orders    one for each run in the queue. `job` and `attempt` tell a late worker from the one that may claim it
 *   parties   whose turn comes when; the row '' is the clock
 *   needs     every set of needs that a run ever had, so that a worker knows which it can't serve
 *   caps      how many runs of an agent, a workspace or a user may be carried out at once
 *   workers   who carries runs out, and when it was last heard of
 */
const TABLES = `
create schema if not exists drydock_queue;
create table if not exists drydock_queue.orders (
  run_id text primary key,
  job uuid not null,
  attempt int not null default -1,
  state text not null default 'waiting',
  worker text,
  party text not null,
  agent text,
  workspace text,
  needs text not null,
  level int not null,
  tag bigint not null
);
create index if not exists orders_claimed on drydock_queue.orders (state);
create table if not exists drydock_queue.parties (party text primary key, tag bigint not null);
create table if not exists drydock_queue.needs (name text primary key);
create table if not exists drydock_queue.caps (
  scope text not null,
  name text not null,
  most int not null,
  primary key (scope, name)
);
create table if not exists drydock_queue.workers (
  id text primary key,
  name text not null,
  machine text not null,
  owner text not null,
  offers text not null,
  slots int not null,
  busy int not null,
  state text not null,
  version text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
)`;

/** Two processes may meet on a new database. */
const LOCK = "7225062";

export async function makeTables(sql: Sql): Promise<void> {
  const [found] = await sql<{ there: boolean }>("select to_regclass('drydock_queue.workers') is not null as there");
  if (found?.there) return;
  await sql(`do $$ begin perform pg_advisory_xact_lock(${LOCK}); ${TABLES}; end $$`);
}
