import { HostWarning } from "@drydock/protocol";
import type { HostWarningsTable, LedgerDatabase } from "../database/schema.ts";
import { type LedgerContext, read, write } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";

/** `count`: how often it happened since it was written last. */
export type NewHostWarning = Pick<HostWarning, "kind" | "source" | "text" | "runId" | "count">;

/** What was refused or wrong and belongs to no run. The same thing again is counted, and the oldest goes where there are too many: of one source first, so that none hides what others did. */
export interface WarningStore {
  add(warnings: readonly NewHostWarning[]): Promise<void>;
  /** The newest first. */
  list(options: { limit: number }): Promise<HostWarning[]>;
}

const MAX_WARNINGS = 1000;
const MAX_OF_ONE_SOURCE = 100;
const MAX_TEXT_CHARS = 1000;
const MAX_ID_CHARS = 100;
const NONE: { last_at?: string } = {};

export function createWarningStore(context: LedgerContext): WarningStore {
  const cut = (text: string, most: number) => toStorableText(context, text).slice(0, most);
  return {
    add: (warnings) =>
      write(context, async (trx) => {
        const at = context.now().toISOString();
        for (const { kind, source, text, runId, count } of warnings) {
          const run_id = runId && cut(runId, MAX_ID_CHARS);
          const row = {
            ...{ kind, source: cut(source, MAX_ID_CHARS), text: cut(text, MAX_TEXT_CHARS) },
            ...{ run_id, count, first_at: at, last_at: at },
          };
          await trx
            .insertInto("host_warnings")
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(["source", "text"]).doUpdateSet((eb) => ({
                count: eb("host_warnings.count", "+", count),
                ...{ kind, run_id, last_at: at },
              })),
            )
            .execute();
        }
        for (const source of new Set(warnings.map((warning) => cut(warning.source, MAX_ID_CHARS))))
          await keepNewest(trx, source);
        const { last_at: oldest } =
          (await trx
            .selectFrom("host_warnings")
            .select("last_at")
            .orderBy("last_at", "desc")
            .limit(1)
            .offset(MAX_WARNINGS)
            .executeTakeFirst()) ?? NONE;
        if (oldest !== undefined) await trx.deleteFrom("host_warnings").where("last_at", "<=", oldest).execute();
      }),
    list: async ({ limit }) => {
      const rows = await read(context, (db) =>
        db.selectFrom("host_warnings").selectAll().orderBy("last_at", "desc").orderBy("text").limit(limit).execute(),
      );
      return rows.map(fromRow);
    },
  };
}

async function keepNewest(trx: LedgerDatabase, source: string): Promise<void> {
  const newest = trx
    .selectFrom("host_warnings")
    .select("text")
    .where("source", "=", source)
    .orderBy("last_at", "desc")
    .limit(MAX_OF_ONE_SOURCE);
  await trx.deleteFrom("host_warnings").where("source", "=", source).where("text", "not in", newest).execute();
}

function fromRow({ kind, source, text, run_id, count, first_at, last_at }: HostWarningsTable): HostWarning {
  return {
    ...{ kind: HostWarning.shape.kind.parse(kind), source, text, runId: run_id, count },
    ...{ firstAt: first_at, lastAt: last_at },
  };
}
