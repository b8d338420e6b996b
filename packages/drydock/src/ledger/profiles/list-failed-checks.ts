import { CheckResult } from "@drydock/protocol";
import { parseJson } from "../../base/text/index.ts";
import { type LedgerContext, read } from "../ledger-context.ts";

export interface FailedCheck {
  type: string;
  code: string;
  reason: string;
}

const MAX_RUNS = 50;
const MAX_CHECKS = 2000;
const Failed = CheckResult.pick({ type: true, code: true, reason: true, verdict: true });

/** Checks that did not pass in the workspace's last runs. What can't be read is passed over. */
export async function listFailedChecks(context: LedgerContext, workspace: string): Promise<FailedCheck[]> {
  const rows = await read(context, async (db) => {
    const runs = await db
      .selectFrom("runs")
      .select("id")
      .where("workspace", "=", workspace)
      .where("kind", "=", "goal")
      .orderBy("id", "desc")
      .limit(MAX_RUNS)
      .execute();
    if (runs.length === 0) return [];
    const ids = runs.map(({ id }) => id);
    return db
      .selectFrom("events")
      .select("data")
      .where("run_id", "in", ids)
      .where("type", "=", "check.finished")
      .orderBy("run_id", "desc")
      .orderBy("seq", "desc")
      .limit(MAX_CHECKS)
      .execute();
  });
  return rows.flatMap(({ data }) => {
    const found = Failed.safeParse(parseJson(data)).data;
    return found && found.verdict !== "passed" ? [{ type: found.type, code: found.code, reason: found.reason }] : [];
  });
}
