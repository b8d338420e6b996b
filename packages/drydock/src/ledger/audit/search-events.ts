import { DrydockError, type EventMatch, type EventMatches, type SearchEventsOptions } from "@drydock/protocol";
import { sql } from "kysely";
import { featuresOf } from "../database/features.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { typesOf } from "../runs/list-events.ts";
import { idAt, listWords, readTime, SLACK_MS } from "../runs/run-filter.ts";

/** Events that one page looks through where it does not take all. */
const EXAMINED_AT_ONCE = 20_000;
const MOST_ON_A_PAGE = 200;
const EXCERPT_BEFORE = 80;
const EXCERPT_CHARS = 280;

type Place = Pick<EventMatch, "runId" | "seq">;

/** Events of the whole ledger: those of the newest runs first, of one run the last first. */
export async function searchEvents(context: LedgerContext, options: SearchEventsOptions = {}): Promise<EventMatches> {
  const limit = readLimit(options.limit, MOST_ON_A_PAGE);
  const words = listWords(options.text);
  const before = options.cursor === undefined ? undefined : decodePlace(options.cursor);
  return read(context, async (db) => {
    const within = selectWithin(db, options, before);
    const isSearch = words.length > 0 || options.groups !== undefined || options.since !== undefined;
    const [edge] = isSearch ? await within.select(["run_id", "seq"]).limit(1).offset(EXAMINED_AT_ONCE).execute() : [];
    let query = within
      .innerJoin("runs", "runs.id", "events.run_id")
      .select(["run_id", "seq", "type", "at", "data", "hash", "kind", "title"]);
    if (edge) query = query.where(sql<boolean>`(run_id, seq) > (${edge.run_id}, ${edge.seq})`);
    if (options.groups) query = query.where("type", "in", typesOf(options.groups));
    if (options.since !== undefined) query = query.where("at", ">=", readTime("since", options.since).toISOString());
    const like = sql.raw(featuresOf(db).likeAnyCase);
    for (const word of words) {
      const pattern = `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;
      query = query.where(
        sql<boolean>`(data ${like} ${pattern} escape '\\' or type ${like} ${pattern} escape '\\' or run_id ${like} ${pattern} escape '\\')`,
      );
    }
    const rows = await query.limit(limit).execute();
    const last = rows.length === limit ? rows.at(-1) : edge && { run_id: edge.run_id, seq: Number(edge.seq) + 1 };
    return {
      events: rows.map(({ run_id: runId, seq, data, type, at, hash, kind, title }) => {
        const excerpt = cutExcerpt(data, words[0]);
        return { runId, seq: Number(seq), type, at, hash, kind, title, excerpt } as EventMatch;
      }),
      cursor: last ? encodePlace({ runId: last.run_id, seq: Number(last.seq) }) : null,
    };
  });
}

/** What is looked through, in its order. */
function selectWithin(db: LedgerDatabase, { until }: SearchEventsOptions, before: Place | undefined) {
  let query = db.selectFrom("events").orderBy("run_id", "desc").orderBy("seq", "desc");
  if (before) query = query.where(sql<boolean>`(run_id, seq) < (${before.runId}, ${before.seq})`);
  if (until === undefined) return query;
  const end = readTime("until", until);
  // A run that began later has nothing from before.
  return query.where("run_id", "<", idAt(end.getTime() + SLACK_MS)).where("at", "<", end.toISOString());
}

/** What stands around the first word; without one, the beginning. */
function cutExcerpt(data: string, word: string | undefined): string {
  const at = word === undefined ? -1 : data.toLowerCase().indexOf(word.toLowerCase());
  const start = Math.max(0, at - EXCERPT_BEFORE);
  const part = data.slice(start, start + EXCERPT_CHARS);
  return `${start > 0 ? "…" : ""}${part}${start + EXCERPT_CHARS < data.length ? "…" : ""}`;
}

function encodePlace({ runId, seq }: Place): string {
  return Buffer.from(`e1:${runId}:${seq}`).toString("base64url");
}

function decodePlace(cursor: string): Place {
  const [, runId, seq] = /^e1:(run_[0-9a-z]+):(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (runId !== undefined) return { runId, seq: Number(seq) };
  const hint = "Pass on the cursor of the page before, or none for the first page.";
  throw new DrydockError("input.invalid", `"${cursor}" is not a cursor of a search for events.`, hint);
}
