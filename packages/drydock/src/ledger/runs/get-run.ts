import type { Run } from "@drydock/protocol";
import type { RunsTable } from "../database/schema.ts";
import { type LedgerContext, read } from "../ledger-context.ts";
import { findRun } from "./find-run.ts";

export async function getRun(context: LedgerContext, id: string): Promise<Run | null> {
  const row = await read(context, (db) => findRun(db, id));
  return row ? runFromRow(row) : null;
}

export function runFromRow(row: RunsTable): Run {
  return {
    id: row.id,
    kind: row.kind as Run["kind"],
    status: row.status as Run["status"],
    verdict: row.verdict as Run["verdict"],
    title: row.title,
    sessionId: row.session_id,
    workspace: row.workspace,
    errorCode: row.error_code,
    treeHash: row.tree_hash,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    events: row.events,
    headHash: row.head_hash,
  };
}
