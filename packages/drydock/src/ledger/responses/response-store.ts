import type { ResponseInfo, ResponseTotals } from "@drydock/protocol";
import type { Artifacts } from "../content/artifacts.ts";
import type { ContentStore } from "../content/content-store.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { removeExpired, removeSession } from "./remove-responses.ts";
import { INFO_COLUMNS, responseFromRow } from "./response-row.ts";
import { type NewResponse, type StagedResponse, stageResponse } from "./stage-response.ts";

export interface KeptResponse extends ResponseInfo {
  /** The first megabyte; of what is no text, a note that says so. */
  text: string;
}

/** What extensions answered, by session, for a while. What has expired is not there, whether it was removed yet or not. */
export interface ResponseStore {
  /** Stores what does not fit as an artifact. Hand the rest to `finish`, which makes it the session's last. */
  stage(response: NewResponse): Promise<StagedResponse>;
  last(session: string): Promise<KeptResponse | null>;
  /** Newest first; the default limit is 50, the maximum 1000. */
  history(session: string, options?: { limit?: number }): Promise<ResponseInfo[]>;
  read(id: string): Promise<KeptResponse | null>;
  totals(session?: string): Promise<ResponseTotals>;
  /** Removes all of a session; returns how many. */
  clear(session: string): Promise<number>;
  /** Removes those whose time is over; returns how many. */
  expire(now: Date): Promise<number>;
}

const EXPIRED_AT_ONCE = 500;

export function createResponseStore(
  context: LedgerContext,
  stores: { artifacts: Artifacts; content: ContentStore },
): ResponseStore {
  const now = () => context.now().toISOString();
  return {
    stage: (response) => stageResponse(context, stores, response),
    async last(session) {
      const row = await read(context, (db) =>
        db
          .selectFrom("responses")
          .selectAll()
          .where("session", "=", session)
          .where("expires_at", ">", now())
          .orderBy("id", "desc")
          .limit(1)
          .executeTakeFirst(),
      );
      return row ? { ...responseFromRow(row), text: row.content } : null;
    },
    async history(session, { limit } = {}) {
      const count = readLimit(limit);
      const rows = await read(context, (db) =>
        db
          .selectFrom("responses")
          .select(INFO_COLUMNS)
          .where("session", "=", session)
          .where("expires_at", ">", now())
          .orderBy("id", "desc")
          .limit(count)
          .execute(),
      );
      return rows.map(responseFromRow);
    },
    async read(id) {
      const row = await read(context, (db) =>
        db.selectFrom("responses").selectAll().where("id", "=", id).where("expires_at", ">", now()).executeTakeFirst(),
      );
      return row ? { ...responseFromRow(row), text: row.content } : null;
    },
    async totals(session) {
      const row = await read(context, (db) => {
        const all = db
          .selectFrom("responses")
          .select(({ fn }) => [
            fn.countAll<number>().as("responses"),
            fn.sum<number | null>("size").as("bytes"),
            fn.sum<number | null>("truncated").as("truncated"),
            fn.min("created_at").as("oldest"),
            fn.max("created_at").as("newest"),
          ])
          .where("expires_at", ">", now());
        return (session === undefined ? all : all.where("session", "=", session)).executeTakeFirst();
      });
      return {
        responses: Number(row?.responses ?? 0),
        bytes: Number(row?.bytes ?? 0),
        truncated: Number(row?.truncated ?? 0),
        oldest: row?.oldest ?? null,
        newest: row?.newest ?? null,
      };
    },
    clear: (session) => write(context, (trx) => removeSession(trx, stores.content, session)),
    async expire(time) {
      let removed = 0;
      for (let more = true; more; ) {
        const count = await write(context, (trx) => removeExpired(trx, stores.content, time, EXPIRED_AT_ONCE));
        removed += count;
        more = count === EXPIRED_AT_ONCE;
      }
      return removed;
    },
  };
}
