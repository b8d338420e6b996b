import { sql } from "kysely";
import type { EventsTable, HeadsTable, LedgerDatabase } from "../database/schema.ts";

const PAGE = 1000;
/** Events may carry long texts; fewer of them are held at once. */
const EVENT_PAGE = 200;

/** All entries of the ledger's chain, in order. */
export async function* readHeads(db: LedgerDatabase): AsyncGenerator<HeadsTable> {
  let after: number | undefined;
  for (;;) {
    let query = db.selectFrom("heads").selectAll();
    if (after !== undefined) query = query.where("position", ">", after);
    const page = await query.orderBy("position").limit(PAGE).execute();
    yield* page;
    after = page.at(-1)?.position;
    if (page.length < PAGE) return;
  }
}

/** All events, those of one run together and in order. */
export async function* readEvents(db: LedgerDatabase): AsyncGenerator<EventsTable> {
  let after: EventsTable | undefined;
  for (;;) {
    const last = after;
    let query = db.selectFrom("events").selectAll();
    if (last) {
      // As one comparison it is a place in the index; as two it would be looked for from the beginning.
      query = query.where(sql<boolean>`(run_id, seq) > (${last.run_id}, ${last.seq})`);
    }
    const page = await query.orderBy("run_id").orderBy("seq").limit(EVENT_PAGE).execute();
    yield* page;
    after = page.at(-1);
    if (page.length < EVENT_PAGE) return;
  }
}
