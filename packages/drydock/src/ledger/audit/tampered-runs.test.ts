import { test } from "vitest";
import { hashEvent, runGenesis } from "../chain/hash-entries.ts";
import { type Attack, expectFound, removeRun } from "../testing/tampering.ts";

const attacks: Attack[] = [
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
        "insert into runs select 'run_0forged', kind, status, verdict, title, session_id, workspace, error_code, tree_hash, created_at, ended_at, 1, ?, owner_pid, owner_start, owner_host, fence from runs where id = ?",
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
        "insert into runs select 'run_0forged', kind, status, verdict, title, session_id, workspace, error_code, tree_hash, created_at, ended_at, events, head_hash, owner_pid, owner_start, owner_host, fence from runs where id = ?",
        first,
      );
    },
    found: () => ({ runId: "run_0forged", seq: 0, problem: /no events/ }),
  },
];

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

test.each(attacks)("$name is found and named", expectFound);
