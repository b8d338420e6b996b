import type { Sql } from "../../ledger/index.ts";
import { DEAD } from "./open-boss.ts";
import { ANYTHING } from "./order-store.ts";

/** What an owner looks at. */
export interface QueueState {
  /** By needs: how many runs wait, and since how many seconds the first of them could be taken. */
  waiting: { needs: string[]; runs: number; seconds: number }[];
  /** Runs that are over a cap. */
  parked: number;
  claimed: number;
  /** Runs that were given up in the last seven days. */
  givenUp: number;
  /** The server's clock, in milliseconds since 1970. */
  clockMs: number;
}

interface WaitingRow {
  needs: string;
  runs: string | number;
  seconds: string | number;
}

export async function readQueueState(sql: Sql): Promise<QueueState> {
  const waiting = await sql<WaitingRow>(
    `select o.needs, count(*) as runs, max(extract(epoch from clock_timestamp() - greatest(j.start_after, j.created_on))) as seconds
     from drydock_queue.orders o join drydock_jobs.job j on j.id = o.job
     where o.state = 'waiting' and j.start_after <= clock_timestamp()
     group by o.needs order by o.needs`,
  );
  const states = await sql<{ state: string; runs: string | number }>(
    "select state, count(*) as runs from drydock_queue.orders group by state",
  );
  const [dead] = await sql<{ runs: string | number }>(
    `select count(*) as runs from drydock_jobs.job where name = '${DEAD}' and created_on > clock_timestamp() - interval '7 days'`,
  );
  const [clock] = await sql<{ ms: string | number }>("select extract(epoch from clock_timestamp()) * 1000 as ms");
  const count = (state: string) => Number(states.find((row) => row.state === state)?.runs ?? 0);
  return {
    waiting: waiting.map(({ needs, runs, seconds }) => ({
      needs: needs.split(" ").filter((need) => need !== ANYTHING),
      ...{ runs: Number(runs), seconds: Math.max(0, Number(seconds)) },
    })),
    ...{ parked: count("parked"), claimed: count("claimed") },
    ...{ givenUp: Number(dead?.runs ?? 0), clockMs: Number(clock?.ms ?? 0) },
  };
}
