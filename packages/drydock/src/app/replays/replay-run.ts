import { type Divergence, DrydockError, type ReplayResult } from "@drydock/protocol";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { concludeReplay } from "./conclude-replay.ts";
import { asAlteration, findAlterations } from "./find-alterations.ts";
import { notReplayable, readRecorded } from "./read-recorded.ts";
import type { Replayed, ReplayPorts, ReplayRequest } from "./replayer.ts";
import { REPLAYERS } from "./replayers.ts";

/** Executes a run of this home again, whatever its kind. */
export async function replayRun(ports: ReplayPorts, id: string, request: ReplayRequest): Promise<ReplayResult> {
  const altered: Divergence[] = [];
  let replayed: Replayed;
  try {
    const recorded = await readRecorded(ports.ledger, id);
    altered.push(...(await findAlterations(ports.ledger, recorded)));
    replayed = await executeAgain(ports, recorded, request);
  } catch (error) {
    if (request.signal.aborted) throw cancelledReplay();
    const damage = asAlteration(error, id);
    if (damage) altered.push(damage);
    // Of an altered record something may be left that can't be executed: then the alteration is what there is to say.
    if (altered.length === 0 || !(error instanceof DrydockError)) throw error;
    replayed = cutShort(error);
  }
  if (request.signal.aborted) throw cancelledReplay();
  return concludeReplay(id, altered, replayed);
}

async function executeAgain(ports: ReplayPorts, recorded: RecordedRun, request: ReplayRequest): Promise<Replayed> {
  const { id, kind } = recorded.run;
  // The column may say anything.
  if (!Object.hasOwn(REPLAYERS, kind)) throw notReplayable(id, `there are no runs of the kind ${kind}`);
  return REPLAYERS[kind](ports, recorded, request);
}

function cutShort({ message }: DrydockError): Replayed {
  const nothing = { runId: null, verdict: "unverified", treeHash: null, steps: 0, notes: [] } as const;
  const divergences = [{ step: "replay", what: "the execution", recorded: "the run", replayed: message }];
  return { ...nothing, notes: [], divergences };
}

function cancelledReplay(): DrydockError {
  return new DrydockError("run.cancelled", "The replay was cancelled.", "Start it again when you want it.");
}
