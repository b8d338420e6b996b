import type { RunKind } from "@drydock/protocol";
import { addCapability } from "../capabilities/capability-row.ts";
import { appendHead } from "../chain/append-head.ts";
import { canonicalJson } from "../chain/canonical-json.ts";
import { runGenesis } from "../chain/hash-entries.ts";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, writeRun } from "../ledger-context.ts";
import { toStorableText } from "../to-storable-text.ts";
import { foldCreated, UNENDED } from "./fold-run.ts";
import { addFacts } from "./run-facts.ts";
import { writeEvents } from "./write-events.ts";

export interface NewRun {
  kind: RunKind;
  title: string;
  sessionId?: string | null;
  workspace?: string | null;
  /** What is frozen into the run: the effective policy, the request, the grants. */
  data: Record<string, unknown>;
}

const insertRun = defineQuery<RunsTable>((db, p) =>
  db.insertInto("runs").values({
    id: p("id"),
    kind: p("kind"),
    status: p("status"),
    verdict: p("verdict"),
    title: p("title"),
    session_id: p("session_id"),
    workspace: p("workspace"),
    error_code: p("error_code"),
    tree_hash: p("tree_hash"),
    created_at: p("created_at"),
    ended_at: p("ended_at"),
    events: p("events"),
    head_hash: p("head_hash"),
    owner_pid: p("owner_pid"),
    owner_start: p("owner_start"),
    owner_host: p("owner_host"),
    fence: p("fence"),
  }),
);

/**
 * Admits a run: its row, `run.created` as its first event, and its beginning in the ledger's chain, all at once. `withRun` is
 * written in the same transaction.
 */
export async function createRun(
  context: LedgerContext,
  run: NewRun,
  withRun?: (trx: LedgerTransaction, row: RunsTable) => Promise<void>,
): Promise<{ id: string }> {
  const id = context.newId("run");
  const at = context.now().toISOString();
  const frozen = context.redactor.value(run.data) as Record<string, unknown>;
  // What the host itself says stays as it is: ids must be found again, and changes are delivered to this very workspace.
  const data = {
    ...frozen,
    kind: run.kind,
    title: toStorableText(context, run.title),
    sessionId: run.sessionId ?? null,
    workspace: run.workspace ?? null,
    owner: context.owner,
  };
  const event = { type: "run.created", data, text: canonicalJson(data) } as const;
  await writeRun(context, async (trx) => {
    const after = { seq: 0, prevHash: runGenesis(id), at };
    const [first] = await writeEvents(trx, id, after, [event]);
    const headHash = first?.hash ?? "";
    const row = { id, ...foldCreated({ at }, data), ...UNENDED, events: 1, head_hash: headHash };
    await insertRun(trx, row);
    await appendHead(trx, { kind: "created", runId: id, events: 1, headHash, at });
    if (run.kind === "capability") await addCapability(trx, id, data);
    await addFacts(trx, id, data);
    await withRun?.(trx, row);
  });
  return { id };
}
