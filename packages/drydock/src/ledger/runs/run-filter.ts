import { DrydockError, type RunFilter } from "@drydock/protocol";
import { type SelectQueryBuilder, sql } from "kysely";
import { encodeTime } from "../create-id-source.ts";
import type { DatabaseFeatures } from "../database/features.ts";
import type { LedgerTables } from "../database/schema.ts";

type RunQuery<O> = SelectQueryBuilder<LedgerTables, "runs", O>;

const MOST_WORDS = 8;
/** Ids sort by the time at which they were made, which is a little before the one on record; clocks are set back at times. */
export const SLACK_MS = 60_000;

/** Conditions that an index can serve, or that nearly all rows meet. */
export function filterIndexed<O>(query: RunQuery<O>, filter: RunFilter): RunQuery<O> {
  let found = query;
  const kinds = listOf(filter.kind);
  if (kinds.length > 0) {
    found = found.where("kind", "in", kinds);
    // The very words of the index, without which it is not used.
    if (!kinds.includes("exec") && !kinds.includes("session")) {
      found = found.where(sql<boolean>`kind not in ('exec', 'session')`);
    }
  }
  const verdicts = listOf(filter.verdict);
  if (verdicts.length > 0) {
    found = found.where("verdict", "in", verdicts);
    if (!verdicts.includes("unverified")) found = found.where(sql<boolean>`verdict <> 'unverified'`);
  }
  const statuses = listOf(filter.status);
  if (statuses.length > 0) found = found.where("status", "in", statuses);
  if (filter.session) found = found.where("session_id", "=", filter.session);
  if (filter.workspace) found = found.where("workspace", "=", filter.workspace);
  if (filter.agent !== undefined) {
    const { agent } = filter;
    found = found.where("id", "in", ({ selectFrom }) =>
      selectFrom("run_facts").select("run_id").where("agent", "=", agent),
    );
  }
  if (filter.since !== undefined) {
    const since = readTime("since", filter.since);
    found = found.where("id", ">=", idAt(since.getTime() - SLACK_MS)).where("created_at", ">=", since.toISOString());
  }
  if (filter.until !== undefined) {
    const until = readTime("until", filter.until);
    found = found.where("id", "<", idAt(until.getTime() + SLACK_MS)).where("created_at", "<", until.toISOString());
  }
  return found;
}

/** What has to be looked for in each row. */
export function filterText<O>(
  query: RunQuery<O>,
  text: string | undefined,
  { likeAnyCase }: DatabaseFeatures,
): RunQuery<O> {
  const words = listWords(text);
  const like = sql.raw(likeAnyCase);
  return words.reduce((found, word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return found.where(
      sql<boolean>`(title ${like} ${pattern} escape '\\' or id ${like} ${pattern} escape '\\' or coalesce(workspace, '') ${like} ${pattern} escape '\\')`,
    );
  }, query);
}

export function listWords(text: string | undefined): string[] {
  return (text ?? "")
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, MOST_WORDS);
}

export function readTime(name: string, text: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && time.getTime() >= 0) return time;
  throw new DrydockError("input.invalid", `\`${name}\` is not a time: ${text}.`, "Give one as 2026-01-31T12:00:00Z.");
}

/** An id that sorts before all ids of that time and later. */
export function idAt(ms: number): string {
  return `run_${encodeTime(Math.max(0, ms))}`;
}

function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}
