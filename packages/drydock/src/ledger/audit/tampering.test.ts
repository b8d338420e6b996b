import { expect, test } from "vitest";
import { hashEvent, hashHead, runGenesis } from "../chain/hash-entries.ts";
import type { EventsTable, HeadsTable } from "../database/schema.ts";
import { addEndedRun, openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";

interface Runs {
  first: string;
  middle: string;
  last: string;
  running: string;
}

/** Three ended runs, and one that is under way, created before the last. */
async function fill(t: TestLedger): Promise<Runs> {
  const first = await addEndedRun(t.ledger, "first");
  const middle = await addEndedRun(t.ledger, "middle");
  const { id: running } = await t.ledger.createRun({ kind: "exec", title: "running", data: {} });
  await t.ledger.append(running, [{ type: "output.recorded", data: { text: "so far" } }]);
  const last = await addEndedRun(t.ledger, "last");
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 4, events: 14 });
  return { first, middle, last, running };
}

interface Attack {
  name: string;
  attack: (t: TestLedger, runs: Runs) => void;
  found: (runs: Runs) => { runId: string; seq?: number; problem?: RegExp };
}

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
  {
    name: "removing a whole run",
    attack: (t, { middle }) => removeRun(t, middle),
    found: ({ middle }) => ({ runId: middle, seq: 0, problem: /run is missing/ }),
  },
  {
    name: "removing a whole run that is under way",
    attack: (t, { running }) => removeRun(t, running),
    found: ({ running }) => ({ runId: running, seq: 0, problem: /run is missing/ }),
  },
  {
    name: "removing a run's row only",
    attack: (t, { middle }) => t.tamper("delete from runs where id = ?", middle),
    found: ({ middle }) => ({ runId: middle, seq: 0, problem: /row/ }),
  },
  {
    name: "removing a run's events only",
    attack: (t, { middle }) => t.tamper("delete from events where run_id = ?", middle),
    found: ({ middle }) => ({ runId: middle, seq: 0 }),
  },
  {
    name: "removing the last run with its entries in the chain",
    attack: (t, { last }) => {
      removeRun(t, last);
      t.tamper("delete from heads where run_id = ?", last);
    },
    found: ({ last }) => ({ runId: last, problem: /last entry of the chain/ }),
  },
  {
    name: "removing a run in the middle with its entries in the chain",
    attack: (t, { middle }) => {
      removeRun(t, middle);
      t.tamper("delete from heads where run_id = ?", middle);
    },
    found: () => ({ runId: "ledger", problem: /2 entries of the ledger's chain are missing/ }),
  },
  {
    name: "inserting a whole run, well chained",
    attack: (t, { first }) => {
      const data = '{"kind":"exec","owner":{},"sessionId":null,"title":"forged","workspace":null}';
      const row = { run_id: "run_0forged", seq: 0, type: "run.created", at: "2026-01-01T00:00:00.000Z", data };
      const prev_hash = runGenesis("run_0forged");
      const hash = hashEvent({ ...row, prev_hash });
      t.tamper("insert into events values (?, 0, ?, ?, ?, ?, ?)", row.run_id, row.type, row.at, data, prev_hash, hash);
      t.tamper(
        "insert into runs select 'run_0forged', kind, status, verdict, title, session_id, workspace, error_code, tree_hash, created_at, ended_at, 1, ?, owner_pid, owner_start, owner_host from runs where id = ?",
        hash,
        first,
      );
    },
    found: () => ({ runId: "run_0forged", seq: 0, problem: /inserted/ }),
  },
  {
    name: "inserting a row in runs without events",
    attack: (t, { first }) => {
      t.tamper(
        "insert into runs select 'run_0forged', kind, status, verdict, title, session_id, workspace, error_code, tree_hash, created_at, ended_at, events, head_hash, owner_pid, owner_start, owner_host from runs where id = ?",
        first,
      );
    },
    found: () => ({ runId: "run_0forged", seq: 0, problem: /no events/ }),
  },
  {
    name: "removing the chain's entry for a run's end",
    attack: (t, { middle }) => t.tamper("delete from heads where run_id = ? and kind = 'ended'", middle),
    found: ({ middle }) => ({ runId: middle }),
  },
  {
    name: "removing all of the chain's entries for a run",
    attack: (t, { middle }) => t.tamper("delete from heads where run_id = ?", middle),
    found: ({ middle }) => ({ runId: middle, problem: /entries in the ledger's chain were removed/ }),
  },
  {
    name: "removing the last entry of the chain",
    attack: (t) => t.tamper("delete from heads where position = (select max(position) from heads)"),
    found: ({ last }) => ({ runId: last, problem: /last entry of the chain/ }),
  },
  {
    name: "changing an entry of the chain",
    attack: (t, { middle }) => t.tamper("update heads set events = 3 where run_id = ? and kind = 'ended'", middle),
    found: ({ middle }) => ({ runId: middle, problem: /was changed/ }),
  },
  {
    name: "changing an entry of the chain, computing its hash again and relinking the next",
    attack: (t, { first, middle }) => {
      const [row] = t.query("select * from heads where run_id = ? and kind = 'ended'", first);
      const head = { ...(row as unknown as HeadsTable), at: "2001-01-01T00:00:00.000Z" };
      const hash = hashHead(head);
      t.tamper("update heads set at = ?, hash = ? where position = ?", head.at, hash, head.position);
      t.tamper("update heads set prev_hash = ? where run_id = ? and kind = 'created'", hash, middle);
    },
    found: ({ middle }) => ({ runId: middle, seq: 0, problem: /was changed/ }),
  },
  {
    name: "removing the whole chain",
    attack: (t) => {
      t.tamper("delete from heads");
      t.tamper("delete from meta");
    },
    found: ({ first }) => ({ runId: first }),
  },
  {
    name: "removing the record of the chain's end",
    attack: (t) => t.tamper("delete from meta"),
    found: () => ({ runId: "ledger", problem: /end is missing/ }),
  },
  {
    name: "changing the record of the chain's end",
    attack: (t) => t.tamper("update meta set value = replace(value, 'ended', 'Ended')"),
    found: () => ({ runId: "ledger", problem: /end was changed/ }),
  },
  {
    name: "inserting a checkpoint that excuses a missing start of the chain",
    attack: (t, { first }) => {
      removeRun(t, first);
      t.tamper("delete from heads where position <= 2");
      t.tamper(
        "insert into checkpoints select 99, json_object('position', 2, 'hash', prev_hash, 'before', '', 'at', '', 'removedRuns', 1, 'removedEvents', 4, 'carried', json('[]')) from heads where position = 3",
      );
    },
    found: () => ({ runId: "ledger", problem: /checkpoint was inserted/ }),
  },
];

attacks.push(
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
  {
    name: "storing a number too large to be read",
    attack: (t, { middle }) => t.tamper("update heads set events = 9223372036854775807 where run_id = ?", middle),
    found: () => ({ runId: "ledger", problem: /never writes/ }),
  },
);

const columns: [string, string | number][] = [
  ["status", "failed"],
  ["verdict", "failed"],
  ["title", "something else"],
  ["kind", "session"],
  ["session_id", "ses_1"],
  ["workspace", "/elsewhere"],
  ["error_code", "code.exception"],
  ["tree_hash", "def"],
  ["created_at", "2001-01-01T00:00:00.000Z"],
  ["ended_at", "2001-01-01T00:00:00.000Z"],
  ["events", 3],
  ["events", 5],
  ["head_hash", "00"],
  ["owner_pid", 1],
  ["owner_start", "1"],
  ["owner_host", "elsewhere"],
];
for (const [column, value] of columns) {
  attacks.push({
    name: `changing the column ${column} of a run to ${value}`,
    attack: (t, { middle }) => t.tamper(`update runs set ${column} = ? where id = ?`, value, middle),
    found: ({ middle }) => ({ runId: middle }),
  });
}

test.each(attacks)("$name is found and named", async ({ attack, found }) => {
  await using t = await openTestLedger();
  const runs = await fill(t);
  attack(t, runs);
  const report = await t.ledger.verify();
  expect(report.ok).toBe(false);
  const { runId, seq, problem } = found(runs);
  expect(report.first?.runId).toBe(runId);
  if (seq !== undefined) expect(report.first?.seq).toBe(seq);
  if (problem) expect(report.first?.problem).toMatch(problem);
});

test("what was tampered with is still found after the ledger has gone on working", async () => {
  await using t = await openTestLedger();
  const { last } = await fill(t);
  t.tamper("delete from heads where position = (select max(position) from heads)");
  await addEndedRun(t.ledger, "later");
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: last } });
});

test("a rewrite of everything is found by comparing with a head that was kept", async () => {
  await using t = await openTestLedger();
  await fill(t);
  const { head } = await t.ledger.verify();
  await addEndedRun(t.ledger, "later");
  expect(await t.ledger.verify({ expectedHead: head })).toMatchObject({ ok: true });

  for (const table of ["runs", "events", "heads", "meta"]) t.tamper(`delete from ${table}`);
  for (let i = 0; i < 8; i++) await addEndedRun(t.ledger, `forged ${i}`);
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  expect(await t.ledger.verify({ expectedHead: head })).toMatchObject({ ok: false, first: { runId: "ledger" } });
});

test("what was made unreadable is refused when read, and passed on as it is in an export", async () => {
  await using t = await openTestLedger();
  const { middle } = await fill(t);
  t.tamper("update events set data = '{' where run_id = ? and seq = 1", middle);
  await expect(t.ledger.events(middle)).rejects.toMatchObject({ code: "ledger.unavailable", data: { seq: 1 } });
  const lines: string[] = [];
  for await (const line of t.ledger.exportAudit()) lines.push(line);
  expect(lines.filter((line) => line.includes('"unreadable":"{"'))).toHaveLength(1);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: middle, seq: 1 } });
});

test("a ledger without runs is sound", async () => {
  await using t = await openTestLedger();
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 0, events: 0 });
});

function removeRun(t: TestLedger, id: string): void {
  t.tamper("delete from events where run_id = ?", id);
  t.tamper("delete from runs where id = ?", id);
}

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
