import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { readActions } from "../runs/session-record/read-actions.ts";
import { openReplaySession } from "./open-replay-session.ts";
import { notReplayable } from "./read-recorded.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";

/** A step of a session, and before it every step that led to it, in a fresh session. */
export async function replaySessionStep(
  ports: ReplayPorts,
  recorded: RecordedRun,
  request: ReplayRequest,
): Promise<Replayed> {
  const { run } = recorded;
  const actions = await readActions(ports.ledger, run.sessionId ?? "", run.id);
  if (!actions.some(({ record }) => record.run.id === run.id)) {
    const reason = `it was refused before it started (${run.errorCode ?? "it has no code"})`;
    throw notReplayable(run.id, reason, "There is nothing to execute again.");
  }
  const { session, replays, treeHash, divergences, close } = await openReplaySession(ports, actions, recorded, request);
  try {
    // A rollback is a run as well, and the last of its session.
    const [newest] = (await ports.ledger.listRuns({ session: session.id, limit: 1 })).runs;
    const runId = replays.get(run.id) ?? newest?.id ?? null;
    return { runId, verdict: "unverified", treeHash, steps: actions.length, divergences, notes: [] };
  } finally {
    await close();
  }
}
