import { DrydockError } from "@drydock/protocol";
import { readChainEnd } from "../chain/append-head.ts";
import { canonicalJson } from "../chain/canonical-json.ts";
import { HEADS_GENESIS } from "../chain/hash-entries.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import { KEYS } from "./tables.ts";

/** In the target's `meta`, from the first row of a copy until it is verified. Nobody else opens the database meanwhile. */
export const COPY_KEY = "copy";

/** What a copy is of: one home's ledger at one moment. */
export interface CopyState {
  /** The home's id. */
  source: string;
  /** The end of its chain, and how many events it has: where both are the same, nothing was added. */
  head: string;
  events: number;
}

export async function describeSource(db: LedgerDatabase, source: string): Promise<CopyState> {
  const end = await readChainEnd(db);
  const row = await db
    .selectFrom("runs")
    .select(({ fn }) => fn.sum<number | null>("events").as("events"))
    .executeTakeFirst();
  return { source, head: typeof end === "string" ? HEADS_GENESIS : end.hash, events: Number(row?.events ?? 0) };
}

/** Null where no copy is under way. */
export async function readCopyState(db: LedgerDatabase): Promise<CopyState | null> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", COPY_KEY).executeTakeFirst();
  return row ? (JSON.parse(row.value) as CopyState) : null;
}

export async function writeCopyState(db: LedgerDatabase, state: CopyState): Promise<void> {
  const value = canonicalJson(state);
  await db
    .insertInto("meta")
    .values({ key: COPY_KEY, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** Refuses a database in which there is anything already, but for what an earlier attempt at this copy has left. */
export async function refuseOccupied(
  db: LedgerDatabase,
  place: string,
  wanted: CopyState,
): Promise<"new" | "same" | "changed"> {
  const found = await readCopyState(db);
  if (found && found.source !== wanted.source) {
    const message = `The database ${place} holds a part of a copy of another home.`;
    throw refused(message, "Finish that copy, or use an empty database (createdb).", place);
  }
  if (found) return found.head === wanted.head && found.events === wanted.events ? "same" : "changed";
  for (const table of Object.keys(KEYS) as (keyof typeof KEYS)[]) {
    const row = await db
      .selectFrom(table)
      .select(({ lit }) => lit(1).as("one"))
      .limit(1)
      .executeTakeFirst();
    if (!row) continue;
    const message = `The database ${place} is not empty: its table ${table} has rows.`;
    throw refused(message, "Use an empty database (createdb): two ledgers can't be made one.", place);
  }
  return "new";
}

export function refused(message: string, hint: string, place: string): DrydockError {
  return new DrydockError("input.invalid", message, hint, { database: place });
}
