/**
 * `npm run bench:ledger [-- --events N] [--rounds N] [--assert]`: what appending, reading a page and following cost in a
 * PostgreSQL database with 10,000,000 events, beside one with 10,000 on the same server, in turns.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEventFeed } from "../packages/drydock/src/app/runs/follow-events.ts";
import { createRedactor, type Ledger, openLedger, readOwner } from "../packages/drydock/src/ledger/index.ts";
import { addressIn, startPostgres } from "../packages/drydock/src/ledger/testing/postgres/start-postgres.ts";
import { runSql } from "../packages/drydock/src/ledger/testing/postgres/test-databases.ts";
import { percentile } from "./measure.ts";

const SMALL = 10_000;
const EVENTS_IN_RUN = 100;
const RUNS_AT_ONCE = 2000;
const LIMIT = 1.5;

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "300" },
    assert: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const say = (text: string) => process.stderr.write(`${text}\n`);

interface Side {
  name: string;
  ledger: Ledger;
  /** As a process on another machine sees it. */
  other: Ledger;
  oldRuns: number;
  runId: string;
  times: Record<"append" | "page" | "last page" | "list" | "follow", number[]>;
}

const directory = mkdtempSync(join(tmpdir(), "drydock-bench-ledger-"));
const redactor = createRedactor({ environment: {}, allowedNames: () => true });

async function openSide(place: string, events: number): Promise<Side> {
  const name = `events_${events}`;
  runSql(addressIn(place), `create database ${name}`);
  const databaseUrl = addressIn(place, name);
  const open = async (which: string) => {
    const home = join(directory, `${name}-${which}`);
    mkdirSync(home);
    return openLedger({ home, databaseUrl, redactor, owner: readOwner() });
  };
  const ledger = await open("one");
  const startedAt = performance.now();
  fill(databaseUrl, events / EVENTS_IN_RUN);
  say(`${events} events in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const { id } = await ledger.createRun({ kind: "exec", title: "new", workspace: "/w", data: {} });
  const times = { append: [], page: [], "last page": [], list: [], follow: [] };
  return {
    name: `${events} events`,
    ledger,
    other: await open("two"),
    oldRuns: events / EVENTS_IN_RUN,
    runId: id,
    times,
  };
}

/** Runs that have ended, made by the server itself. Their hashes are of the right form and size: nothing here verifies them. */
function fill(databaseUrl: string, runs: number): void {
  const id = "'run_' || lpad(run::text, 26, '0')";
  const hash = (text: string) => `encode(sha256((${text})::bytea), 'hex')`;
  const at = "'2026-01-01T00:00:00.000Z'";
  for (let first = 0; first < runs; first += RUNS_AT_ONCE) {
    const all = `generate_series(${first}, ${Math.min(first + RUNS_AT_ONCE, runs) - 1}) as run`;
    runSql(
      databaseUrl,
      `begin; alter table events disable trigger drydock_announce;
      insert into runs (id, kind, status, verdict, title, workspace, created_at, ended_at, events, head_hash, owner_pid, owner_start, owner_host)
        select ${id}, 'exec', 'succeeded', 'none', 'print(' || run || ')', '/w', ${at}, ${at}, ${EVENTS_IN_RUN}, ${hash("run::text")}, 1, '1', 'h' from ${all};
      insert into heads (position, kind, run_id, events, head_hash, at, prev_hash, hash)
        select 1000000000 + run, 'ended', ${id}, ${EVENTS_IN_RUN}, ${hash("run::text")}, ${at}, ${hash("run::text")}, ${hash("run::text")} from ${all};
      insert into events (run_id, seq, type, at, data, prev_hash, hash)
        select ${id}, seq, 'output.recorded', ${at}, '{"stream":"stdout","text":"line ' || seq || ' of what a program printed"}', ${hash("seq::text")}, ${hash("(seq + 1)::text")}
        from ${all}, generate_series(0, ${EVENTS_IN_RUN - 1}) as seq;
      alter table events enable trigger drydock_announce; commit`,
    );
  }
  // What a server does by itself in time.
  runSql(databaseUrl, "vacuum analyze");
}

async function timeIt(times: number[], counts: boolean, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  if (counts) times.push(performance.now() - startedAt);
}

const output = (text: string) => ({ type: "output.recorded", data: { stream: "stdout", text } }) as const;

async function measure({ ledger, oldRuns, runId, times }: Side, counts: boolean): Promise<void> {
  const some = `run_${String(Math.floor(Math.random() * oldRuns)).padStart(26, "0")}`;
  await timeIt(times.append, counts, () => ledger.append(runId, [output("one"), output("two"), output("three")]));
  await timeIt(times.page, counts, () => ledger.eventPage(some, { after: 40, limit: 50 }));
  await timeIt(times["last page"], counts, () => ledger.eventPage(some, { from: "last", limit: 50 }));
  await timeIt(times.list, counts, () => ledger.listRuns({ limit: 50 }));
}

/** From an append on one machine until a follower on another has the event. */
async function measureFollow({ ledger, other, times }: Side, count: number): Promise<void> {
  const { id } = await ledger.createRun({ kind: "exec", title: "followed", data: {} });
  const feed = createEventFeed(other);
  const pages = feed.follow(id);
  await pages.next();
  for (let round = -10; round < count; round++) {
    const next = pages.next();
    await timeIt(times.follow, round >= 0, async () => {
      await ledger.append(id, [output(`${round}`)]);
      await next;
    });
  }
  await ledger.finish(id, { type: "run.succeeded", data: {} });
  await pages.return(undefined);
  feed.close();
}

// Not below a directory of this user's own: the server's processes are nobody's.
const place = join(tmpdir(), `drydock-bench-postgres-${process.pid}`);
// Durable, as a server is: a commit waits for the disk on both sides.
const server = await startPostgres({ directory: place, durable: true });
let isMissed = false;
try {
  const sides = [await openSide(place, SMALL), await openSide(place, Number(options.events))] as const;
  for (let round = -30; round < rounds; round++) for (const side of sides) await measure(side, round >= 0);
  for (let part = 0; part < 5; part++) for (const side of sides) await measureFollow(side, Math.ceil(rounds / 5));
  const [small, large] = sides;
  process.stdout.write(
    `median ms ${"".padEnd(8)}${small.name.padStart(16)}${large.name.padStart(18)}   ratio (mark ≤ ${LIMIT})\n`,
  );
  for (const what of Object.keys(small.times) as (keyof Side["times"])[]) {
    const [few, many] = [percentile(small.times[what], 0.5), percentile(large.times[what], 0.5)];
    isMissed ||= many / few > LIMIT;
    const figures = `${few.toFixed(2).padStart(16)}${many.toFixed(2).padStart(18)}   ${(many / few).toFixed(2)}`;
    process.stdout.write(`${what.padEnd(18)}${figures}\n`);
  }
  for (const { ledger, other } of sides) for (const one of [ledger, other]) await one.close();
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(isMissed && options.assert ? 1 : 0);
