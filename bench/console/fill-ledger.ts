import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchServer } from "./start-server.ts";

interface Wanted {
  home: string;
  server: BenchServer;
  events: number;
  runs: number;
}

export interface Filled {
  /** A run that is under way, with so many events. */
  runId: string;
  /** One more event of it, whose text is shown in the timeline. */
  append(text: string): void;
}

/**
 * A long history, written into the tables as they are: through the front door it would take the better part of an hour. The hashes
 * of these rows prove nothing; no page asks for that here.
 */
export async function fillLedger({ home, server, events, runs }: Wanted): Promise<Filled> {
  const runId = await startRun(server);
  const path = join(home, "ledger.db");
  const inLedger = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path, { timeout: 20_000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  let next = inLedger((database) => {
    const { events: had } = database.prepare("select events from runs where id = ?").get(runId) as { events: number };
    database.exec("begin immediate");
    const add = database.prepare("insert into events values (?, ?, ?, ?, ?, 'x', 'x')");
    for (let seq = had; seq < events; seq++) add.run(runId, seq, ...toEvent(seq, `event ${seq}`));
    database.prepare("update runs set events = ? where id = ?").run(events, runId);
    const columns = database
      .prepare("select name from pragma_table_info('runs')")
      .all()
      .map(({ name }) => String(name));
    const values = columns.map((name) => CHANGED[name] ?? `runs.${name}`);
    database.exec(
      `insert into runs (${columns.join(", ")}) select ${values.join(", ")} from runs, (with recursive numbers(value) as
       (select 1 union all select value + 1 from numbers limit ${runs}) select value from numbers) where id = '${runId}'`,
    );
    database.exec("commit");
    return events;
  });
  return {
    runId,
    append(text) {
      inLedger((database) => {
        database.exec("begin immediate");
        database
          .prepare("insert into events values (?, ?, ?, ?, ?, 'x', 'x')")
          .run(runId, next, ...toEvent(next, text));
        database.prepare("update runs set events = ? where id = ?").run(++next, runId);
        database.exec("commit");
      });
    },
  };
}

/** What makes an ended run of the one that is under way. Its id is smaller: it is an older one. */
const CHANGED: Readonly<Record<string, string>> = {
  id: "'run_0' || substr('0000000000000000000000000' || value, -25)",
  status: "'succeeded'",
  title: "'python: print(' || value || ')'",
  ended_at: "created_at",
  events: "3",
};

/** As the events of a goal's run come: much of tools and models, some output. */
function toEvent(seq: number, text: string): [type: string, at: string, data: string] {
  const at = new Date().toISOString();
  const data = JSON.stringify({ name: text, text: `${text}: ${"some words of a tool ".repeat(12)}`, ok: true });
  return [seq % 10 === 0 ? "output.recorded" : "tool.finished", at, data];
}

/** A run that stays under way as long as this takes. */
async function startRun({ url, token }: BenchServer): Promise<string> {
  const answer = await fetch(`${url}/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "exec", code: "import time\ntime.sleep(280)" }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { id } = (await answer.json()) as { id: string };
  // Its own first events are on record by then.
  await sleep(1500);
  return id;
}
