import { test } from "vitest";
import { hashEvent } from "../chain/hash-entries.ts";
import type { EventsTable } from "../database/schema.ts";
import type { TestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";
import { type Attack, expectFound } from "../testing/tampering.ts";

const attacks: Attack[] = [
  {
    name: "changing one event's data",
    attack: (t, { middle }) =>
      t.tamper('update events set data = \'{"text":"2"}\' where run_id = ? and seq = 1', middle),
    found: ({ middle }) => ({ runId: middle, seq: 1, problem: /changed/ }),
  },
  {
    name: "changing one event's type",
    attack: (t, { middle }) => t.tamper("update events set type = 'run.failed' where run_id = ? and seq = 3", middle),
    found: ({ middle }) => ({ runId: middle, seq: 3, problem: /changed/ }),
  },
  {
    name: "changing one event's time",
    attack: (t, { first }) =>
      t.tamper("update events set at = '2001-01-01T00:00:00.000Z' where run_id = ? and seq = 0", first),
    found: ({ first }) => ({ runId: first, seq: 0, problem: /changed/ }),
  },
  {
    name: "changing one event and computing its hash again",
    attack: (t, { middle }) => rehash(t, middle, 1, { data: '{"text":"2"}' }),
    found: ({ middle }) => ({ runId: middle, seq: 2, problem: /does not follow/ }),
  },
  {
    name: "changing the last event of a run and computing its hash again",
    attack: (t, { last }) => rehash(t, last, 3, { data: '{"verdict":"failed"}' }),
    found: ({ last }) => ({ runId: last, seq: 3, problem: /not the one that the ledger's chain recorded/ }),
  },
  {
    name: "removing an event in the middle",
    attack: (t, { middle }) => t.tamper("delete from events where run_id = ? and seq = 1", middle),
    found: ({ middle }) => ({ runId: middle, seq: 1, problem: /missing/ }),
  },
  {
    name: "removing the first event",
    attack: (t, { middle }) => t.tamper("delete from events where run_id = ? and seq = 0", middle),
    found: ({ middle }) => ({ runId: middle, seq: 0, problem: /missing/ }),
  },
  {
    name: "removing the last event of the last run",
    attack: (t, { last }) => t.tamper("delete from events where run_id = ? and seq = 3", last),
    found: ({ last }) => ({ runId: last, seq: 3, problem: /missing/ }),
  },
  {
    name: "removing the last event of the last run and adjusting its row",
    attack: (t, { last }) => {
      t.tamper("delete from events where run_id = ? and seq = 3", last);
      t.tamper(
        "update runs set events = 3, head_hash = (select hash from events where run_id = runs.id and seq = 2), status = 'running', verdict = 'unverified', tree_hash = null, ended_at = null where id = ?",
        last,
      );
    },
    found: ({ last }) => ({ runId: last, seq: 3, problem: /missing/ }),
  },
  {
    name: "removing the last event of a run under way",
    attack: (t, { running }) => t.tamper("delete from events where run_id = ? and seq = 1", running),
    found: ({ running }) => ({ runId: running, seq: 1, problem: /missing/ }),
  },
  {
    name: "inserting an event behind the last one, well chained",
    attack: (t, { first }) => insertEvent(t, first, 4, { type: "layer.applied", data: "{}" }),
    found: ({ first }) => ({ runId: first, seq: 4, problem: /added/ }),
  },
  {
    name: "inserting an event behind the last one, well chained, and adjusting the row",
    attack: (t, { first }) => {
      const hash = insertEvent(t, first, 4, { type: "layer.applied", data: "{}" });
      t.tamper("update runs set events = 5, head_hash = ? where id = ?", hash, first);
    },
    found: ({ first }) => ({ runId: first, seq: 4, problem: /added/ }),
  },
  {
    name: "inserting an event in the middle",
    attack: (t, { middle }) => {
      t.tamper("update events set seq = seq + 101 where run_id = ? and seq >= 2", middle);
      t.tamper("update events set seq = seq - 100 where run_id = ? and seq > 100", middle);
      insertEvent(t, middle, 2, { type: "output.recorded", data: "{}" });
    },
    found: ({ middle }) => ({ runId: middle, seq: 3, problem: /changed/ }),
  },
  {
    name: "swapping two events of a run",
    attack: (t, { middle }) => {
      t.tamper("update events set seq = 100 where run_id = ? and seq = 1", middle);
      t.tamper("update events set seq = 1 where run_id = ? and seq = 2", middle);
      t.tamper("update events set seq = 2 where run_id = ? and seq = 100", middle);
    },
    found: ({ middle }) => ({ runId: middle, seq: 1, problem: /changed/ }),
  },
  {
    name: "swapping the events of two runs",
    attack: (t, { first, middle }) => {
      t.tamper("update events set run_id = 'x' where run_id = ?", first);
      t.tamper("update events set run_id = ? where run_id = ?", first, middle);
      t.tamper("update events set run_id = ? where run_id = 'x'", middle);
    },
    found: ({ first }) => ({ runId: first, seq: 0, problem: /changed/ }),
  },
];

/** PostgreSQL refuses them by itself. */
const ofOtherTypes: Attack[] = [
  {
    name: "storing a text where a number belongs",
    attack: (t, { middle }) => t.tamper("update events set seq = 'one' where run_id = ? and seq = 1", middle),
    found: ({ middle }) => ({ runId: middle, seq: 1, problem: /missing/ }),
  },
  {
    name: "storing bytes where a text belongs",
    attack: (t, { middle }) => t.tamper("update events set data = x'00ff' where run_id = ? and seq = 3", middle),
    found: ({ middle }) => ({ runId: middle, seq: 3, problem: /changed/ }),
  },
];

test.each(attacks)("$name is found and named", expectFound);
test.skipIf(isOnPostgres).each(ofOtherTypes)("$name is found and named", expectFound);

function rehash(t: TestLedger, id: string, seq: number, change: Partial<EventsTable>): void {
  const [row] = t.query("select * from events where run_id = ? and seq = ?", id, seq);
  const changed = { ...(row as unknown as EventsTable), ...change };
  t.tamper(
    "update events set data = ?, hash = ? where run_id = ? and seq = ?",
    changed.data,
    hashEvent(changed),
    id,
    seq,
  );
}

function insertEvent(t: TestLedger, id: string, seq: number, event: { type: string; data: string }): string {
  const [before] = t.query("select * from events where run_id = ? and seq = ?", id, seq - 1);
  const { hash: prev_hash, at } = before as unknown as EventsTable;
  const row = { run_id: id, seq, at, prev_hash, ...event };
  const hash = hashEvent(row);
  t.tamper(
    "insert into events (run_id, seq, type, at, data, prev_hash, hash) values (?, ?, ?, ?, ?, ?, ?)",
    id,
    seq,
    row.type,
    at,
    row.data,
    prev_hash,
    hash,
  );
  return hash;
}
