import { sql } from "kysely";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { requireRun } from "../runs/find-run.ts";
import { beginCapability, findCapability } from "./capability-row.ts";

/** What an extension has used in the last hour. */
export interface CapabilityUse {
  calls: number;
  seconds: number;
}

export interface CapabilityQuota {
  callsPerHour: number;
  secondsPerHour: number;
}

/** `freeAt`: when enough of it is an hour old; null where that is never. */
export type Admission = { admitted: true } | { admitted: false; quota: keyof CapabilityQuota; freeAt: string | null };

const HOUR_MS = 60 * 60 * 1000;

const sumUse = defineQuery<{ extension: string; since: string }, { calls: number; ended: number; ms: number | null }>(
  (db, p) =>
    db
      .selectFrom("capabilities")
      .select(({ fn }) => [
        fn.countAll<number>().as("calls"),
        fn.count<number>("duration_ms").as("ended"),
        fn.sum<number | null>("duration_ms").as("ms"),
      ])
      .where("extension", "=", p("extension"))
      .where("began_at", ">", p("since"))
      .where("began_at", "is not", null),
);
const selectUse = defineQuery<
  { extension: string; since: string },
  { began_at: string | null; duration_ms: number | null }
>((db, p) =>
  db
    .selectFrom("capabilities")
    .select(["began_at", "duration_ms"])
    .where("extension", "=", p("extension"))
    .where("began_at", ">", p("since"))
    .where("began_at", "is not", null)
    .orderBy("began_at"),
);
/** Few: no more than may run at once. Calls that wait for approval are not running yet. */
const selectUnended = defineQuery<{ extension: string; since: string }, { began_at: string | null }>((db, p) =>
  db
    .selectFrom("capabilities")
    .innerJoin("runs", "runs.id", "capabilities.run_id")
    .select("began_at")
    .where("extension", "=", p("extension"))
    .where("began_at", ">", p("since"))
    .where("began_at", "is not", null)
    .where("duration_ms", "is", null)
    .where("runs.status", "=", sql.lit("running"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("approvals")
            .select("approvals.id")
            .whereRef("approvals.run_id", "=", "capabilities.run_id")
            .where("approvals.status", "=", sql.lit("pending")),
        ),
      ),
    ),
);

/**
 * Lets a call through if its extension has calls and seconds left, and counts it, at once: however many processes ask at
 * the same time, no more calls get through than the quota has. A call that is under way counts with the time it has
 * taken so far. One that is let through and then not approved has been a call, too.
 */
export async function admitCapability(
  context: LedgerContext,
  runId: string,
  quota: CapabilityQuota,
): Promise<Admission> {
  return write(context, async (trx) => {
    await requireRun(trx, runId);
    const row = await findCapability(trx, runId);
    if (!row) throw new Error(`run ${runId} is not a capability`);
    if (row.began_at !== null) return { admitted: true };
    const at = context.now();
    const use = await reckonUse(trx, row.extension, at);
    const exceeded =
      use.calls >= quota.callsPerHour ? "callsPerHour" : use.seconds >= quota.secondsPerHour ? "secondsPerHour" : null;
    if (exceeded) {
      const freeAt = await findFreeAt(trx, row.extension, at, { quota: exceeded, use, limit: quota[exceeded] });
      return { admitted: false, quota: exceeded, freeAt };
    }
    await beginCapability(trx, runId, at.toISOString());
    return { admitted: true };
  });
}

/** Goes through the calls of the hour, oldest first, until enough of them would be over. */
async function findFreeAt(
  db: LedgerDatabase,
  extension: string,
  at: Date,
  { quota, use, limit }: { quota: keyof CapabilityQuota; use: CapabilityUse; limit: number },
): Promise<string | null> {
  if (limit === 0) return null;
  const rows = await selectUse(db, { extension, since: hourBefore(at) });
  let left = quota === "callsPerHour" ? use.calls : use.seconds;
  for (const { began_at, duration_ms } of rows) {
    const began = Date.parse(began_at ?? "");
    left -= quota === "callsPerHour" ? 1 : (duration_ms ?? at.getTime() - began) / 1000;
    if (left < limit) return new Date(began + HOUR_MS).toISOString();
  }
  return null;
}

export async function readUse(context: LedgerContext, extension: string): Promise<CapabilityUse> {
  return read(context, (db) => reckonUse(db, extension, context.now()));
}

async function reckonUse(db: LedgerDatabase, extension: string, at: Date): Promise<CapabilityUse> {
  const parameters = { extension, since: hourBefore(at) };
  const [sum] = await sumUse(db, parameters);
  const calls = Number(sum?.calls ?? 0);
  const unended = calls === Number(sum?.ended ?? 0) ? [] : await selectUnended(db, parameters);
  const underWayMs = unended.reduce(
    (total, row) => total + Math.max(0, at.getTime() - Date.parse(row.began_at ?? "")),
    0,
  );
  return {
    calls,
    seconds: (Number(sum?.ms ?? 0) + underWayMs) / 1000,
  };
}

function hourBefore(at: Date): string {
  return new Date(at.getTime() - HOUR_MS).toISOString();
}
