import type { Message } from "@drydock/protocol/runner";
import { RUNNER_LIMITS, readText } from "@drydock/protocol/runner";
import { sql } from "kysely";
import { featuresOf } from "../database/features.ts";
import type { TranscriptTable } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";

export interface TranscriptEntry {
  seq: number;
  id: string;
  eventId: string;
  runId: string | null;
  role: string;
  content: string;
  message: Message;
  artifacts: Record<string, unknown>[];
  createdAt: string;
}

export interface NewTranscriptEntry {
  conversation: string;
  eventId: string;
  runId: string | null;
  message: Message;
  artifacts?: readonly Record<string, unknown>[];
}

export interface TranscriptPage {
  before?: number;
  after?: number;
  limit: number;
  direction: "backward" | "forward";
}

export interface TranscriptStore {
  add(entry: NewTranscriptEntry): Promise<TranscriptEntry>;
  page(conversation: string, page: TranscriptPage): Promise<TranscriptEntry[]>;
  search(conversation: string, query: string, options: { roles?: string[]; limit: number }): Promise<TranscriptEntry[]>;
  latest(conversation: string): Promise<{ seq: number | null; count: number }>;
}

export function createTranscriptStore(context: LedgerContext): TranscriptStore {
  return {
    add: ({ conversation, eventId, runId, message, artifacts = [] }) =>
      write(context, async (trx) => {
        const row = {
          ...{ id: context.newId("trn"), conversation, event_id: eventId, run_id: runId, role: message.role },
          content: toStorableText(context, readText(message)).slice(0, RUNNER_LIMITS.transcriptTextChars),
          content_json: JSON.stringify(context.redactor.value(message)),
          artifacts: JSON.stringify(context.redactor.value(artifacts)),
          created_at: context.now().toISOString(),
        };
        const { seq } = await trx.insertInto("transcript").values(row).returning("seq").executeTakeFirstOrThrow();
        return fromRow({ ...row, seq });
      }),
    page: async (conversation, { before, after, limit, direction }) => {
      const rows = await read(context, (db) => {
        let query = db.selectFrom("transcript").selectAll().where("conversation", "=", conversation);
        if (before !== undefined) query = query.where("seq", "<", before);
        if (after !== undefined) query = query.where("seq", ">", after);
        return query
          .orderBy("seq", direction === "forward" ? "asc" : "desc")
          .limit(limit)
          .execute();
      });
      return rows.map(fromRow);
    },
    search: async (conversation, query, { roles, limit }) => {
      // The words of a search are no pattern: its signs are literal.
      const pattern = `%${query.replace(/[\\%_]/g, "\\$&")}%`;
      const rows = await read(context, (db) => {
        const like = sql.raw(featuresOf(db).likeAnyCase);
        let all = db
          .selectFrom("transcript")
          .selectAll()
          .where("conversation", "=", conversation)
          .where(sql<boolean>`content ${like} ${pattern} escape '\\'`);
        if (roles && roles.length > 0) all = all.where("role", "in", roles);
        return all.orderBy("seq", "desc").limit(limit).execute();
      });
      return rows.map(fromRow);
    },
    latest: (conversation) =>
      read(context, async (db) => {
        const row = await db
          .selectFrom("transcript")
          .select(({ fn }) => [fn.max("seq").as("seq"), fn.countAll<number>().as("count")])
          .where("conversation", "=", conversation)
          .executeTakeFirst();
        return { seq: row?.seq ?? null, count: Number(row?.count ?? 0) };
      }),
  };
}

type Row = Omit<TranscriptTable, "seq"> & { seq: number };

function fromRow({
  seq,
  id,
  event_id,
  run_id,
  role,
  content,
  content_json,
  artifacts,
  created_at,
}: Row): TranscriptEntry {
  return {
    ...{ seq, id, eventId: event_id, runId: run_id, role, content, createdAt: created_at },
    ...{ message: JSON.parse(content_json), artifacts: JSON.parse(artifacts) },
  };
}
