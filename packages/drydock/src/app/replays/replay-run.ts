import { DrydockError, type ReplayResult } from "@drydock/protocol";
import { concludeReplay } from "./conclude-replay.ts";
import { findAlterations } from "./find-alterations.ts";
import { readRecorded } from "./read-recorded.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";
import { REPLAYERS } from "./replayers.ts";

/** Executes a run of this home again, whatever its kind. */
export async function replayRun(ports: ReplayPorts, id: string, request: ReplayRequest): Promise<ReplayResult> {
  const recorded = await readRecorded(ports.ledger, id);
  const altered = await findAlterations(ports.ledger, recorded);
  const replayed = await REPLAYERS[recorded.run.kind](ports, recorded, request).catch((error: unknown) => {
    if (request.signal.aborted) throw cancelledReplay();
    // Of an altered record something may be left that can't be executed: then the alteration is what there is to say.
    if (altered.length > 0 && error instanceof DrydockError) return cutShort(error);
    throw error;
  });
  if (request.signal.aborted) throw cancelledReplay();
  return concludeReplay(id, altered, replayed);
}

function cutShort({ message }: DrydockError): Replayed {
  const nothing = { runId: null, verdict: "unverified", treeHash: null, steps: 0, notes: [] } as const;
  const divergences = [{ step: "replay", what: "the execution", recorded: "the run", replayed: message }];
  return { ...nothing, notes: [], divergences };
}

function cancelledReplay(): DrydockError {
  return new DrydockError("run.cancelled", "The replay was cancelled.", "Start it again when you want it.");
}
