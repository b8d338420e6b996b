import { listActions, readSessionRecords } from "../sessions/index.ts";
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
  const actions = await listStepsUntil(ports, recorded);
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

/** What led to the state after a run of a session. */
export async function listStepsUntil({ ledger }: Pick<ReplayPorts, "ledger">, { run }: RecordedRun) {
  const sessionId = run.sessionId ?? "";
  return listActions(await readSessionRecords(ledger, sessionId), sessionId, run.id);
}
