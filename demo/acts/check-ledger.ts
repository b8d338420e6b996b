import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type AuditReport, createDock, type Dock, type Run } from "drydock";
import type { Stage } from "../stage.ts";

/** Everything above is on record. A copy of the record is tampered with, and the audit names the event. */
export async function checkLedger(dock: Dock, stage: Stage): Promise<void> {
  stage.act("The ledger", "All of it is on record, each event chained to the one before it.");
  const { runs } = await dock.runs.list({ limit: 500 });
  const kinds = Object.entries(Object.groupBy(runs, ({ kind, status }) => `${kind}: ${status}`));
  const countEvents = (group: readonly Run[]) => group.reduce((sum, { events }) => sum + events, 0);
  stage.table([
    ["runs", "", "events"],
    ...kinds.map(([kind, group = []]) => [String(group.length), kind, String(countEvents(group))]),
  ]);
  const report = await dock.audit.verify();
  stage.check(`audit verify: ${report.runs} runs, ${report.events} events, the chain holds`, report.ok);

  const copy = join(stage.directory, "copy");
  copyLedger(dock.home, copy);
  stage.check("a copy of the ledger verifies as well", (await verify(copy)).ok);
  const victim = changeOneEvent(copy);
  const found = await verify(copy);
  stage.say(`in the copy, one word of event ${victim.seq} of ${victim.runId} was changed; audit verify says:`);
  stage.quote(`${found.first?.runId}, event ${found.first?.seq}: ${found.first?.problem}`);
  stage.check(
    "the changed event is found and named",
    !found.ok && found.first?.runId === victim.runId && found.first.seq === victim.seq,
  );
}

function copyLedger(home: string, copy: string): void {
  mkdirSync(copy, { mode: 0o700 });
  const original = new DatabaseSync(join(home, "ledger.db"), { readOnly: true });
  original.exec(`VACUUM INTO '${join(copy, "ledger.db").replaceAll("'", "''")}'`);
  original.close();
}

/** As an attacker with the file in hand would: past Drydock, with SQLite. */
function changeOneEvent(home: string): { runId: string; seq: number } {
  const database = new DatabaseSync(join(home, "ledger.db"));
  const event = database.prepare("SELECT run_id, seq FROM events WHERE data LIKE '%hello from the dock%'").get();
  const [runId, seq] = [String(event?.run_id), Number(event?.seq)];
  database
    .prepare("UPDATE events SET data = replace(data, 'hello', 'byebye') WHERE run_id = ? AND seq = ?")
    .run(runId, seq);
  database.close();
  return { runId, seq };
}

async function verify(home: string): Promise<AuditReport> {
  const dock = await createDock({ home });
  try {
    return await dock.audit.verify();
  } finally {
    await dock.close();
  }
}
