import { defineQuery } from "../database/define-query.ts";
import type { CapabilitiesTable, EventsTable, LedgerDatabase, LedgerTransaction } from "../database/schema.ts";

type Data = Record<string, unknown>;
type Called = Omit<CapabilitiesTable, "run_id" | "began_at" | "duration_ms">;

/** The columns that repeat what `run.created` says. Written from here, and checked against it in an audit. */
export function foldCalled(data: Data): Called {
  const call = typeof data.capability === "object" && data.capability !== null ? (data.capability as Data) : {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    extension: text(call.extension),
    command: text(call.command),
    action: text(call.action),
    caller: text(call.user),
    session: text(call.session),
  };
}

/** How long it took: what its terminal event says. Unknown for a run that was lost or never began. */
export function foldDuration(event: Pick<EventsTable, "type">, data: Data): number | null {
  if (event.type === "run.lost" || typeof data.durationMs !== "number") return null;
  return Number.isFinite(data.durationMs) ? Math.max(0, Math.round(data.durationMs)) : null;
}

const insertCapability = defineQuery<Omit<CapabilitiesTable, "duration_ms" | "began_at">>((db, p) =>
  db.insertInto("capabilities").values({
    run_id: p("run_id"),
    extension: p("extension"),
    command: p("command"),
    action: p("action"),
    caller: p("caller"),
    session: p("session"),
    began_at: null,
    duration_ms: null,
  }),
);
const setDuration = defineQuery<{ run_id: string; duration_ms: number | null }>((db, p) =>
  db
    .updateTable("capabilities")
    .set({ duration_ms: p("duration_ms") })
    .where("run_id", "=", p("run_id")),
);
const setBeginning = defineQuery<{ run_id: string; began_at: string }>((db, p) =>
  db
    .updateTable("capabilities")
    .set({ began_at: p("began_at") })
    .where("run_id", "=", p("run_id")),
);
const cancelWaiting = defineQuery<{ run_id: string; decided_at: string }>((db, p) =>
  db
    .updateTable("approvals")
    .set({ status: "cancelled", decided_at: p("decided_at") })
    .where("run_id", "=", p("run_id"))
    .where("status", "=", "pending"),
);
const selectCapability = defineQuery<{ run_id: string }, CapabilitiesTable>((db, p) =>
  db.selectFrom("capabilities").selectAll().where("run_id", "=", p("run_id")),
);

export async function addCapability(trx: LedgerTransaction, runId: string, created: Data): Promise<void> {
  await insertCapability(trx, { run_id: runId, ...foldCalled(created) });
}

/** Updates at the end of a run: its duration is known, and a pending approval is closed. */
export async function endCapability(
  trx: LedgerTransaction,
  runId: string,
  terminal: Pick<EventsTable, "type" | "at">,
  data: Data,
): Promise<void> {
  await setDuration(trx, { run_id: runId, duration_ms: foldDuration(terminal, data) });
  await cancelWaiting(trx, { run_id: runId, decided_at: terminal.at });
}

export async function beginCapability(trx: LedgerTransaction, runId: string, at: string): Promise<void> {
  await setBeginning(trx, { run_id: runId, began_at: at });
}

export async function findCapability(db: LedgerDatabase, runId: string): Promise<CapabilitiesTable | undefined> {
  const [row] = await selectCapability(db, { run_id: runId });
  return row;
}
