import { test } from "vitest";
import { hashHead } from "../chain/hash-entries.ts";
import type { HeadsTable } from "../database/schema.ts";
import { type Attack, expectFound, removeRun } from "../testing/tampering.ts";

const attacks: Attack[] = [
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
        'insert into checkpoints select 99, \'{"position":2,"hash":"\' || prev_hash || \'","before":"","at":"","removedRuns":1,"removedEvents":4,"carried":[]}\' from heads where position = 3',
      );
    },
    found: () => ({ runId: "ledger", problem: /checkpoint was inserted/ }),
  },
  {
    name: "storing a number too large to be read",
    attack: (t, { middle }) => t.tamper("update heads set events = 9223372036854775807 where run_id = ?", middle),
    found: () => ({ runId: "ledger", problem: /never writes/ }),
  },
];

test.each(attacks)("$name is found and named", expectFound);
