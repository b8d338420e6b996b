import { DrydockError, type Run, type RunKind, type RunStatus, type Verdict } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { runFromRow } from "./get-run.ts";

export interface ListRunsOptions {
  /** 1 to 1000, default 50. */
  limit?: number;
  /** What the page before gave as `nextCursor`. */
  cursor?: string | null;
  status?: RunStatus;
  verdict?: Verdict;
  session?: string;
  kind?: RunKind;
  /** The workspace's whole path. */
  workspace?: string;
}

/** Newest first. `nextCursor` is null on the last page. */
export async function listRuns(
  context: LedgerContext,
  options: ListRunsOptions = {},
): Promise<{ runs: Run[]; nextCursor: string | null }> {
  const limit = readLimit(options.limit);
  const before = options.cursor ? decodeCursor(options.cursor) : undefined;
  const rows = await read(context, (db) => {
    let query = db.selectFrom("runs").selectAll();
    if (options.status) query = query.where("status", "=", options.status);
    if (options.verdict) query = query.where("verdict", "=", options.verdict);
    if (options.session) query = query.where("session_id", "=", options.session);
    if (options.kind) query = query.where("kind", "=", options.kind);
    if (options.workspace) query = query.where("workspace", "=", options.workspace);
    if (before !== undefined) query = query.where("id", "<", before);
    return query
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { runs: page.map(runFromRow), nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}

export function encodeCursor(id: string): string {
  return Buffer.from(`1:${id}`).toString("base64url");
}

export function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (text.startsWith("1:run_")) return text.slice(2);
  throw new DrydockError(
    "input.invalid",
    `"${cursor}" is not a cursor of this ledger.`,
    "Pass on the nextCursor of the page before, or none for the first page.",
  );
}
