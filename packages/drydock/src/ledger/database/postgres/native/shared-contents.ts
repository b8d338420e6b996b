import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { DrydockError } from "@drydock/protocol";
import { type RawBuilder, sql } from "kysely";
import type { LocalContent, SharedContents } from "../../../content/shared-contents.ts";
import type { LedgerDatabase, LedgerTransaction } from "../../schema.ts";

/** A part is stored as a row. All machines cut at the same places: two that store one content write the same rows. */
const PART_BYTES = 256 * 1024;
/** What is in memory at once, of one statement. */
const BATCH_BYTES = 4 * 1024 * 1024;
const NAMES_AT_ONCE = 1000;
/** Contents in one transaction: another one that stores the same waits for it. */
const CONTENTS_AT_ONCE = 500;

/** Contents in tables of the ledger's own database: what is true of it in a transaction is true of them. */
export function createPostgresContents(db: LedgerDatabase, place: string, now: () => Date): SharedContents {
  return {
    place,
    async keep(contents) {
      const missing = await findMissing(db, contents);
      for (const batch of inBatches(missing, CONTENTS_AT_ONCE)) {
        // Nothing refers to them yet, and so no lock of the ledger is needed.
        await db
          .transaction()
          .setIsolationLevel("read uncommitted")
          .execute((trx) => storeAll(trx, batch, now()));
      }
    },
    async confirm(trx, contents) {
      const names = [...new Set(contents.map(({ sha256 }) => sha256))].sort();
      const found = new Set<string>();
      for (const some of inBatches(names, NAMES_AT_ONCE)) {
        const rows = await trx
          .selectFrom("contents")
          .select("sha256")
          .where("sha256", "in", some)
          .orderBy("sha256")
          .forKeyShare()
          .execute();
        for (const { sha256 } of rows) found.add(sha256);
      }
      const missing = contents.filter(({ sha256 }) => !found.has(sha256));
      if (missing.length > 0) await storeAll(trx, unique(missing), now());
    },
    read: (contents) => readAll(db, contents),
    async hold(trx, contents) {
      for (const some of inBatches([...contents].sort(), NAMES_AT_ONCE)) {
        await trx
          .selectFrom("contents")
          .select("sha256")
          .where("sha256", "in", some)
          .orderBy("sha256")
          .forUpdate()
          .execute();
      }
    },
    async remove(trx, contents) {
      for (const some of inBatches(contents, NAMES_AT_ONCE)) {
        await trx.deleteFrom("content_parts").where("sha256", "in", some).execute();
        await trx.deleteFrom("contents").where("sha256", "in", some).execute();
      }
    },
    list: () => db.selectFrom("contents").select(["sha256", "size"]).execute(),
    async listOld(before) {
      const rows = await db
        .selectFrom("contents")
        .select("sha256")
        .where("stored_at", "<", before.toISOString())
        .execute();
      return rows.map(({ sha256 }) => sha256);
    },
  };
}

async function findMissing(db: LedgerDatabase, contents: readonly LocalContent[]): Promise<LocalContent[]> {
  const missing = new Map(unique(contents).map((content) => [content.sha256, content]));
  for (const some of inBatches([...missing.keys()], NAMES_AT_ONCE)) {
    const rows = await db.selectFrom("contents").select("sha256").where("sha256", "in", some).execute();
    for (const { sha256 } of rows) missing.delete(sha256);
  }
  return [...missing.values()];
}

/** In the order of their names: two that store the same contents wait for each other, and never in a circle. */
async function storeAll(trx: LedgerTransaction, contents: readonly LocalContent[], at: Date): Promise<void> {
  const rows: RawBuilder<unknown>[] = [];
  let bytesInRows = 0;
  async function flush(): Promise<void> {
    if (rows.length === 0) return;
    await sql`insert into content_parts (sha256, part, bytes) values ${sql.join(rows)} on conflict do nothing`.execute(
      trx,
    );
    rows.length = 0;
    bytesInRows = 0;
  }
  for (const { sha256, file } of contents) {
    const digest = createHash("sha256");
    let part = 0;
    for await (const bytes of readParts(file())) {
      digest.update(bytes);
      rows.push(sql`(${sha256}, ${part++}, ${bytes})`);
      bytesInRows += bytes.length;
      if (bytesInRows >= BATCH_BYTES || rows.length >= NAMES_AT_ONCE) await flush();
    }
    if (digest.digest("hex") !== sha256) throw altered(sha256);
  }
  await flush();
  for (const some of inBatches(contents, NAMES_AT_ONCE)) {
    const values = some.map(({ sha256, size }) => ({ sha256, size, stored_at: at.toISOString() }));
    await trx
      .insertInto("contents")
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** All but the last have the full size, whatever pieces the file is read in. */
async function* readParts(file: string): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { highWaterMark: PART_BYTES })) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (; rest.length >= PART_BYTES; rest = rest.subarray(PART_BYTES)) yield rest.subarray(0, PART_BYTES);
  }
  if (rest.length > 0) yield rest;
}

async function* readAll(
  db: LedgerDatabase,
  contents: readonly string[],
): AsyncIterable<{ sha256: string; bytes: Buffer }> {
  for (const some of inBatches([...contents].sort(), NAMES_AT_ONCE)) {
    const found = await db
      .selectFrom("contents")
      .select(["sha256", "size"])
      .where("sha256", "in", some)
      .orderBy("sha256")
      .execute();
    for (const { sha256 } of found.filter(({ size }) => size === 0)) yield { sha256, bytes: Buffer.alloc(0) };
    for (const { names, first, last } of planReads(found)) {
      const rows = await db
        .selectFrom("content_parts")
        .select(["sha256", "bytes"])
        .where("sha256", "in", names)
        .where(sql<boolean>`(sha256, part) >= (${first.sha256}, ${first.part})`)
        .where(sql<boolean>`(sha256, part) <= (${last.sha256}, ${last.part})`)
        .orderBy("sha256")
        .orderBy("part")
        .execute();
      yield* rows;
    }
  }
}

interface Part {
  sha256: string;
  part: number;
}

/** What is read with one statement: many small contents, or some parts of a large one. */
function planReads(contents: readonly { sha256: string; size: number }[]) {
  const reads: { names: string[]; first: Part; last: Part; bytes: number }[] = [];
  for (const { sha256, size } of contents) {
    for (let part = 0; part * PART_BYTES < size; part++) {
      const bytes = Math.min(PART_BYTES, size - part * PART_BYTES);
      const read = reads.at(-1);
      if (!read || read.bytes + bytes > BATCH_BYTES) {
        reads.push({ names: [sha256], first: { sha256, part }, last: { sha256, part }, bytes });
        continue;
      }
      if (read.last.sha256 !== sha256) read.names.push(sha256);
      read.last = { sha256, part };
      read.bytes += bytes;
    }
  }
  return reads;
}

function unique(contents: readonly LocalContent[]): LocalContent[] {
  const byName = new Map(contents.map((content) => [content.sha256, content]));
  return [...byName.values()].sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
}

function inBatches<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}

function altered(sha256: string): DrydockError {
  return new DrydockError(
    "ledger.unavailable",
    `The content ${sha256} was changed on this machine before it was stored: its hash does not match.`,
    "Check the disk of DRYDOCK_HOME, and repeat the run.",
    { sha256 },
  );
}
