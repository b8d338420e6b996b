import { defineQuery } from "../database/define-query.ts";
import { featuresOf } from "../database/features.ts";
import type { HeadKind, HeadsTable, LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import { canonicalJson } from "./canonical-json.ts";
import { HEADS_GENESIS, hashHead, sha256 } from "./hash-entries.ts";

/** The end of the chain as `meta` holds it. It names the run, so that a last entry that was removed can still be named. */
export interface ChainEnd {
  position: number;
  hash: string;
  kind: string;
  runId: string;
}

/** The last seal that was made here: who finds it again, as most do, need not check it. */
let lastSealed: { value: string; end: ChainEnd } | undefined;

const EMPTY_CHAIN: ChainEnd = { position: 0, hash: HEADS_GENESIS, kind: "", runId: "" };

const selectMeta = defineQuery<{ key: string }, { value: string }>((db, p) =>
  db.selectFrom("meta").select("value").where("key", "=", p("key")),
);
const lockMeta = defineQuery<{ key: string }, { value: string }>((db, p) => {
  const one = db.selectFrom("meta").select("value").where("key", "=", p("key"));
  return featuresOf(db).locksRows ? one.forUpdate() : one;
});
const insertMeta = defineQuery<{ key: string; value: string }>((db, p) =>
  db.insertInto("meta").values({ key: p("key"), value: p("value") }),
);
const updateMeta = defineQuery<{ key: string; value: string }>((db, p) =>
  db
    .updateTable("meta")
    .set({ value: p("value") })
    .where("key", "=", p("key")),
);
const insertHead = defineQuery<HeadsTable>((db, p) =>
  db.insertInto("heads").values({
    position: p("position"),
    kind: p("kind"),
    run_id: p("run_id"),
    events: p("events"),
    head_hash: p("head_hash"),
    at: p("at"),
    prev_hash: p("prev_hash"),
    hash: p("hash"),
  }),
);

/** Adds one entry to the ledger's chain. Only ever inside the transaction that writes what the entry is about. */
export async function appendHead(
  trx: LedgerTransaction,
  entry: { kind: HeadKind; runId: string; events: number; headHash: string; at: string },
): Promise<HeadsTable> {
  const row = await lockChain(trx);
  const stored = row ? openSeal(row.value) : "missing";
  const end = stored === "missing" || stored === "altered" ? await lastHead(trx) : stored;
  const unhashed = {
    position: end.position + 1,
    kind: entry.kind,
    run_id: entry.runId,
    events: entry.events,
    head_hash: entry.headHash,
    at: entry.at,
    prev_hash: end.hash,
  };
  const head: HeadsTable = { ...unhashed, hash: hashHead(unhashed) };
  await insertHead(trx, head);
  // A seal that was tampered with stays as it is: work goes on, and the audit still finds it.
  if (stored === "altered") return head;
  const sealed = { position: head.position, hash: head.hash, kind: head.kind, runId: head.run_id };
  const value = sealChainEnd(sealed);
  lastSealed = { value, end: sealed };
  if (stored !== "missing") await updateMeta(trx, { key: "chain", value });
  else if (head.position === 1) await insertMeta(trx, { key: "chain", value });
  return head;
}

/** Until the end of the transaction nobody else adds to the chain. */
async function lockChain(trx: LedgerTransaction): Promise<{ value: string } | undefined> {
  const [row] = await lockMeta(trx, { key: "chain" });
  const { lockTable } = featuresOf(trx);
  if (row || !lockTable) return row;
  // There is no row to lock yet: whoever writes the first entry keeps the others waiting.
  await lockTable(trx, "heads");
  return (await lockMeta(trx, { key: "chain" }))[0];
}

/** The end of the chain; `missing` where there is none, `altered` where it does not fit its own seal. */
export async function readChainEnd(db: LedgerDatabase): Promise<ChainEnd | "missing" | "altered"> {
  const [row] = await selectMeta(db, { key: "chain" });
  return row ? openSeal(row.value) : "missing";
}

function openSeal(value: string): ChainEnd | "altered" {
  if (value === lastSealed?.value) return lastSealed.end;
  const [text, seal] = value.split("\n");
  if (text === undefined || seal !== sha256(text)) return "altered";
  const [position, hash, kind, runId] = JSON.parse(text) as [number, string, string, string];
  return { position, hash, kind, runId };
}

function sealChainEnd(end: ChainEnd): string {
  const text = canonicalJson([end.position, end.hash, end.kind, end.runId]);
  return `${text}\n${sha256(text)}`;
}

async function lastHead(trx: LedgerTransaction): Promise<ChainEnd> {
  const row = await trx.selectFrom("heads").selectAll().orderBy("position", "desc").limit(1).executeTakeFirst();
  return row ? { position: row.position, hash: row.hash, kind: row.kind, runId: row.run_id } : EMPTY_CHAIN;
}
