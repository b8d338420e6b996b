import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { AuditReport } from "@drydock/protocol";
import { sql } from "kysely";
import { verifyLedger } from "../audit/verify-ledger.ts";
import { createLocalContents, type LocalContents } from "../content/local-contents.ts";
import { featuresOf } from "../database/features.ts";
import type { LedgerStore } from "../database/ledger-store.ts";
import { openPostgresStore } from "../database/postgres/open-store.ts";
import type { LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import { holdWrites } from "../database/sqlite/native/hold-writes.ts";
import { openSqliteStore } from "../database/sqlite/open-store.ts";
import { toIndexedWords } from "../knowledge/document-store.ts";
import { openLedger } from "../open-ledger.ts";
import { readOwner } from "../owner.ts";
import { createRedactor } from "../redact/create-redactor.ts";
import { readPublicKeys } from "../signing/key-files.ts";
import { describePublicKey } from "../signing/signing-key.ts";
import type { CopyOptions, CopyProgress, CopyResult } from "./copy-options.ts";
import { copyRows, findLast, insertRows } from "./copy-rows.ts";
import { COPY_KEY, describeSource, refused, refuseOccupied, writeCopyState } from "./copy-state.ts";
import { COUNTED, type CopiedTable, KEYS, LARGE_TABLES } from "./tables.ts";

/*
 * Copies the ledger of a home into an empty PostgreSQL database: rows, contents and the public keys. Every chain is verified
 * on both sides, and the copy is opened to nobody before that. The order:
 *
 *   1. what processes that are gone have left open is ended; a run that is under way is a refusal
 *   2. the home is held: nobody writes to it until the copy is done
 *   3. contents, then the large tables, in many transactions: a copy that was killed goes on where it was
 *   4. all else in one transaction, with the end of the chain
 *   5. the copy is verified and compared, and only then is it anybody's ledger
 *
 * A copy that was killed and whose home went on since begins anew, but for contents, which have their hashes.
 */

type Report = (progress: CopyProgress) => void;

const RESERVED = ["home", "schema-floor", COPY_KEY];

export async function copyLedger({ home, databaseUrl, onProgress }: CopyOptions): Promise<CopyResult> {
  await endLeftRuns(home);
  const source = await openSqliteStore({ home, synchronous: "normal" });
  try {
    using _held = holdWrites(home);
    const target = await openPostgresStore({
      ...{ home, databaseUrl, synchronous: "normal" },
      mayBreak: true,
      mayCopy: true,
    });
    try {
      return await copyInto(home, source, target, onProgress ?? (() => {}));
    } catch (error) {
      throw target.toError(error);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw source.toError(error);
  } finally {
    await source.close();
  }
}

async function copyInto(home: string, source: LedgerStore, target: LedgerStore, report: Report): Promise<CopyResult> {
  const { members, contents, place } = target;
  if (!members || !contents) throw new Error("the target is not shared");
  await refuseRunning(source.db, home);
  const original = await requireSound(home, source, `The ledger in ${home}`);
  const state = await describeSource(source.db, members.own);
  const before = await refuseOccupied(target.db, place, state);
  if (before === "changed") await emptyLarge(target.db);
  if (before !== "same") await writeCopyState(target.db, state);
  for (const { key } of readPublicKeys(home)) await members.addKey(describePublicKey(key));
  const local = createLocalContents(join(realpathSync(home), "artifacts"), false);
  const stored = await copyContents(source.db, local, contents.keep, report);
  for (const table of LARGE_TABLES) await copyLarge(source.db, target.db, table, report);
  await target.db.transaction().execute((trx) => copyRest(source.db, trx, report));
  const copied = await requireSound(home, target, `The copy in ${place}`);
  if (copied.head.hash !== original.head.hash || copied.runs !== original.runs || copied.events !== original.events)
    throw new Error("the copy is not what was copied");
  await target.db.deleteFrom("meta").where("key", "=", COPY_KEY).execute();
  return { place, ...copied, contents: stored, resumed: before === "same" };
}

async function endLeftRuns(home: string): Promise<void> {
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  const ledger = await openLedger({ home, redactor, owner: readOwner() });
  try {
    await ledger.recover();
  } finally {
    await ledger.close();
  }
}

async function refuseRunning(db: LedgerDatabase, home: string): Promise<void> {
  const row = await db.selectFrom("runs").select("id").where("status", "=", "running").limit(1).executeTakeFirst();
  if (!row) return;
  throw refused(
    `The run ${row.id} of ${home} is under way.`,
    "Wait for it or cancel it, stop `drydock serve` and close the sessions; then try again.",
    home,
  );
}

async function requireSound(
  home: string,
  store: LedgerStore,
  what: string,
): Promise<{ runs: number; events: number; head: NonNullable<AuditReport["head"]> }> {
  const { ok, runs, events, head, first } = await verifyLedger({ home, store });
  if (ok && head) return { runs, events, head };
  const hint = "Run `drydock audit verify`: it names what was tampered with. Nothing uses the copy.";
  throw refused(`${what} does not verify: ${first?.problem ?? "the chain is broken"}`, hint, store.place);
}

/** Each content once. What the home should have and has not is a refusal: the copy would lack it for ever. */
async function copyContents(
  db: LedgerDatabase,
  local: LocalContents,
  keep: NonNullable<LedgerStore["contents"]>["keep"],
  report: Report,
): Promise<number> {
  const artifacts = db.selectFrom("artifacts").select(["sha256", "size"]);
  const all = await artifacts.union(db.selectFrom("blob_refs").select(["sha256", "size"])).execute();
  const AT_ONCE = 500;
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    await keep(some.map(({ sha256, size }) => ({ sha256, size, file: () => local.path(sha256) })));
    report({ what: "contents", done: at + some.length });
  }
  return all.length;
}

async function emptyLarge(db: LedgerDatabase): Promise<void> {
  for (const table of LARGE_TABLES) await sql`truncate ${sql.table(table)}`.execute(db);
}

async function copyLarge(
  source: LedgerDatabase,
  target: LedgerDatabase,
  table: CopiedTable,
  report: Report,
): Promise<void> {
  let done = 0;
  const after = await findLast(target, table);
  await copyRows({
    ...{ source, table, after },
    async write(rows) {
      await insertRows(target, table, rows);
      done += rows.length;
      report({ what: table, done });
    },
  });
}

async function copyRest(source: LedgerDatabase, trx: LedgerTransaction, report: Report): Promise<void> {
  const large: readonly CopiedTable[] = LARGE_TABLES;
  for (const table of (Object.keys(KEYS) as CopiedTable[]).filter((name) => !large.includes(name))) {
    const done = await copyRows({ ...{ source, table, after: null }, write: (rows) => insertRows(trx, table, rows) });
    if (done > 0) report({ what: table, done });
  }
  for (const table of COUNTED) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'seq'), greatest(max(seq), 1), max(seq) is not null)
      from ${sql.table(table)}`.execute(trx);
  }
  const meta = await source.selectFrom("meta").selectAll().where("key", "not in", RESERVED).execute();
  if (meta.length > 0) await trx.insertInto("meta").values(meta).execute();
  await indexWords(trx);
}

/** Each database has its own index of words: it is made of the passages. */
async function indexWords(trx: LedgerTransaction): Promise<void> {
  const { words } = featuresOf(trx);
  for (const { seq: base } of await trx.selectFrom("knowledge_bases").select("seq").orderBy("seq").execute()) {
    await words.create(trx, base);
    const insert = await words.prepareInsert(trx, base);
    let after = 0;
    for (;;) {
      const page = await trx
        .selectFrom("knowledge_chunks as c")
        .innerJoin("knowledge_documents as d", "d.seq", "c.document")
        .select(["c.seq as chunk", "c.text", "c.position", "d.source"])
        .where("c.base", "=", base)
        .where("c.seq", ">", after)
        .orderBy("c.seq")
        .limit(500)
        .execute();
      for (const { chunk, text, position, source } of page) {
        const { heading } = JSON.parse(position) as { heading?: string };
        await insert({ chunk, ...toIndexedWords(source, { text, heading }) });
        after = chunk;
      }
      if (page.length === 0) break;
    }
  }
}
