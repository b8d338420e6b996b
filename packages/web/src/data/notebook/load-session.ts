import type { RunEvent } from "@drydock/protocol";
import { client } from "../client.ts";
import { readEvents } from "../queries.ts";
import { findPath, type RecordedSession, readSession } from "./restore-cells.ts";

const PAGE = 1000;
const AT_ONCE = 8;
/** A fork of a fork, and so on. */
const MOST_ORIGINS = 8;

/** What the record has of a session. The cells of a fork begin with those that led to it. */
export async function loadSession(id: string, depth = 0): Promise<RecordedSession & { runIds: string[] }> {
  const runs: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.runs.list({ session: id, limit: PAGE, cursor });
    runs.unshift(...page.runs.map((run) => run.id).reverse());
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  const records: RunEvent[][] = [];
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    const pages = await Promise.all(runs.slice(at, at + AT_ONCE).map((run) => readEvents(run, { limit: PAGE })));
    records.push(...pages.map(({ events }) => events));
  }
  const session = readSession(records);
  const { forkedFrom } = session;
  if (forkedFrom === null || depth >= MOST_ORIGINS) return { ...session, runIds: runs };
  const origin = await loadSession(forkedFrom.sessionId, depth + 1);
  const parents = new Map([...origin.parents, ...session.parents]);
  const before = findPath({ current: forkedFrom.step, parents: origin.parents });
  const cells = origin.cells.filter(({ step, state }) => step !== null && state === "ok" && before.has(step));
  return {
    ...session,
    parents,
    cells: [...cells, ...session.cells],
    runIds: [...cells.flatMap(({ runId }) => runId ?? []), ...runs],
  };
}
