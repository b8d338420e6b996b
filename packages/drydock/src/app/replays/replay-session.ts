import { loadSessionHistory } from "../sessions/index.ts";
import { notReplayable } from "./read-recorded.ts";
import { rebuildSession } from "./rebuild-session.ts";
import type { RecordedRun, Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";

/** A step of a session, and before it every step that led to it, in a fresh session. */
export async function replaySessionStep(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
): Promise<Replayed> {
  const { run } = recorded;
  const actions = await listActionsUntil(ports, run.sessionId ?? "", run.id);
  if (!actions.some(({ record }) => record.run.id === run.id)) {
    const reason = `it was refused before it started (${run.errorCode ?? "it has no code"})`;
    throw notReplayable(run.id, reason, "There is nothing to execute again.");
  }
  const rebuilt = await rebuildSession(ports, actions, recorded, request);
  try {
    const { treeHash, divergences, replays, session } = rebuilt;
    // A rollback is a run as well, and the last of its session.
    const [newest] = (await ports.ledger.listRuns({ session: session.id, limit: 1 })).runs;
    const runId = replays.get(run.id) ?? newest?.id ?? null;
    return { runId, verdict: "unverified", treeHash, steps: actions.length, divergences, notes: [] };
  } finally {
    await rebuilt.close();
  }
}

/** What led to the state of a session after a run. */
export async function listActionsUntil({ ledger }: Pick<ReplayPorts, "ledger">, sessionId: string, runId: string) {
  const { listActions, readSessionRecords } = await loadSessionHistory();
  return listActions(await readSessionRecords(ledger, sessionId), sessionId, runId);
}
