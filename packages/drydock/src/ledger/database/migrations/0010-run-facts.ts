import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "../features.ts";

/**
 * Facts of runs that lists and charts need and that only events hold: whose agent it was, and what models cost. A run has a
 * row only where there is something to say, so that plain executions cost nothing more. The new indexes of `runs` leave out
 * what nearly all runs have, for the same reason.
 */
export const runFacts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const keyed = featuresOf(db).keyedTable;
    await db.schema
      .createTable("run_facts")
      .addColumn("run_id", "text", (column) => column.primaryKey())
      .addColumn("agent", "text")
      .addColumn("input_tokens", "bigint")
      .addColumn("output_tokens", "bigint")
      .addColumn("micro_usd", "bigint")
      .modifyEnd(keyed)
      .execute();
    await db.schema
      .createIndex("run_facts_by_agent")
      .on("run_facts")
      .columns(["agent", "run_id"])
      .where(sql.ref("agent"), "is not", null)
      .execute();
    await sql`create index runs_by_kind on runs (kind, id) where kind not in ('exec', 'session')`.execute(db);
    await sql`create index runs_by_verdict on runs (verdict, id) where verdict <> 'unverified'`.execute(db);
    await sql`create index runs_by_workspace on runs (workspace, id) where workspace is not null`.execute(db);
    await fillFacts(db);
  },
};

/** What the events of earlier runs say. A text that is no JSON is left for the audit to report. */
async function fillFacts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select id from runs limit 1`.execute(db);
  if (rows.length === 0) return;
  await sql`
    insert into run_facts (run_id, agent, input_tokens, output_tokens, micro_usd)
    select * from (
      select
        r.id,
        case r.kind
          when 'runner' then json_extract(c.data, '$.request.agent.name')
          when 'capability' then
            case json_extract(c.data, '$.capability.extension') when 'host' then json_extract(c.data, '$.capability.user') end
          else json_extract(c.data, '$.request.agent')
        end as agent,
        coalesce(json_extract(t.data, '$.usage.inputTokens'), json_extract(t.data, '$.usage.input_tokens')) as input_tokens,
        coalesce(json_extract(t.data, '$.usage.outputTokens'), json_extract(t.data, '$.usage.output_tokens')) as output_tokens,
        cast(round(json_extract(t.data, '$.usage.costUsd') * 1000000) as integer) as micro_usd
      from runs r
      join events c on c.run_id = r.id and c.seq = 0 and json_valid(c.data)
      left join events t on t.run_id = r.id and t.seq >= r.events - 64 and json_valid(t.data)
        and t.type in ('run.succeeded', 'run.failed', 'run.cancelled', 'run.lost')
        and json_extract(c.data, '$.replayOf') is null and json_extract(c.data, '$.request.replayOf') is null
      where r.kind in ('goal', 'task', 'workflow', 'agent', 'runner', 'box', 'capability')
    )
    where agent is not null or input_tokens is not null or output_tokens is not null or micro_usd is not null
  `.execute(db);
}
