import { setImmediate as nextTurn } from "node:timers/promises";
import { DrydockError, type RunHistory, type RunHistoryOptions, type RunPeriod } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { filterIndexed, readTime } from "./run-filter.ts";

const DAY_MS = 86_400_000;
const DEFAULT_PERIODS = 48;
const MOST_PERIODS = 200;
/** More runs than these are not looked at. */
const MOST_RUNS = 100_000;
/** Others have a turn between two pages. */
const PAGE = 5000;
const MOST_FAILURES = 20;

interface Row {
  id: string;
  status: string;
  error_code: string | null;
  created_at: string;
  ended_at: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  micro_usd: number | null;
}

/** Runs over time. Each belongs to the period in which it was started; the newest 100,000 count. */
export async function measureRuns(context: LedgerContext, options: RunHistoryOptions = {}): Promise<RunHistory> {
  const { since, until, periodMs, count } = readRange(options, context.now());
  const periods = Array.from({ length: count }, () => new Period());
  const failures = new Failures();
  let looked = 0;
  let before: string | undefined;
  for (;;) {
    const rows = await readPage(context, { since: toText(since), until: toText(until), before });
    for (const row of rows) {
      periods[Math.floor((Date.parse(row.created_at) - since) / periodMs)]?.add(row);
      failures.add(row);
    }
    looked += rows.length;
    before = rows.at(-1)?.id;
    if (rows.length < PAGE || looked >= MOST_RUNS) break;
    await nextTurn();
  }
  return {
    ...{ since: toText(since), until: toText(until), periodMs },
    periods: periods.map((period, index) => period.describe(toText(since + index * periodMs))),
    failures: failures.list(),
    complete: looked < MOST_RUNS,
  };
}

function readRange(options: RunHistoryOptions, now: Date) {
  const count = options.periods ?? DEFAULT_PERIODS;
  if (!Number.isInteger(count) || count < 1 || count > MOST_PERIODS) {
    const hint = `Give a whole number from 1 to ${MOST_PERIODS}.`;
    throw new DrydockError("input.invalid", `A time can't be divided into ${count} periods.`, hint, { periods: count });
  }
  const until = options.until === undefined ? now.getTime() : readTime("until", options.until).getTime();
  const since = options.since === undefined ? until - DAY_MS : readTime("since", options.since).getTime();
  if (since < until) return { since, until, count, periodMs: Math.ceil((until - since) / count) };
  const message = `The time from ${toText(since)} to ${toText(until)} has no length.`;
  throw new DrydockError("input.invalid", message, "Give a `since` that lies before `until`.", { since, until });
}

function toText(ms: number): string {
  return new Date(ms).toISOString();
}

function readPage(
  context: LedgerContext,
  { since, until, before }: { since: string; until: string; before: string | undefined },
): Promise<Row[]> {
  return read(context, (db) => {
    let query = filterIndexed(db.selectFrom("runs"), { since, until });
    if (before !== undefined) query = query.where("id", "<", before);
    return query
      .leftJoin("run_facts", "run_facts.run_id", "runs.id")
      .select(["runs.id", "runs.status", "runs.error_code", "runs.created_at", "runs.ended_at"])
      .select(["run_facts.input_tokens", "run_facts.output_tokens", "run_facts.micro_usd"])
      .orderBy("runs.id", "desc")
      .limit(PAGE)
      .execute();
  });
}

class Period {
  readonly #durations: number[] = [];
  #started = 0;
  #succeeded = 0;
  #failed = 0;
  #microUsd = 0;
  #tokens = 0;

  add({ status, created_at, ended_at, input_tokens, output_tokens, micro_usd }: Row): void {
    this.#started++;
    if (status === "succeeded") this.#succeeded++;
    if (status === "failed" || status === "lost") this.#failed++;
    if (ended_at !== null) this.#durations.push(Math.max(0, Date.parse(ended_at) - Date.parse(created_at)));
    this.#microUsd += Number(micro_usd ?? 0);
    this.#tokens += Number(input_tokens ?? 0) + Number(output_tokens ?? 0);
  }

  describe(at: string): RunPeriod {
    const durations = this.#durations.sort((one, other) => one - other);
    return {
      ...{ at, started: this.#started, succeeded: this.#succeeded, failed: this.#failed },
      ...{ medianMs: quantile(durations, 0.5), p95Ms: quantile(durations, 0.95) },
      ...{ costUsd: this.#microUsd / 1e6, tokens: this.#tokens },
    };
  }
}

/** The least value that so much of all values does not exceed; null where there is none. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

class Failures {
  readonly #byCode = new Map<string | null, { runs: number; lastRunId: string }>();

  /** Rows come with the newest first. */
  add({ id, status, error_code }: Row): void {
    if (status !== "failed" && status !== "lost") return;
    const known = this.#byCode.get(error_code);
    if (known) known.runs++;
    else this.#byCode.set(error_code, { runs: 1, lastRunId: id });
  }

  list(): RunHistory["failures"] {
    return [...this.#byCode]
      .map(([errorCode, each]) => ({ errorCode, ...each }))
      .sort((one, other) => other.runs - one.runs)
      .slice(0, MOST_FAILURES);
  }
}
