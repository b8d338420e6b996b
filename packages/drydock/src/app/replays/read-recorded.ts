import { DrydockError, type Run, type RunStatus } from "@drydock/protocol";
import { findAlteredColumns, type Ledger } from "../../ledger/index.ts";
import { INSTALL_PROGRAM } from "../packages/index.ts";
import { readAllEvents } from "../runs/recorded/read-all-events.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { requireRun } from "../runs/require-run.ts";
import type { ReplayPorts } from "./replayer.ts";

/** Why a run of this status can't be executed again; null if it can. */
const OBSTACLES: { readonly [Status in RunStatus]: string | null } = {
  succeeded: null,
  failed: null,
  queued: "it still waits for a worker",
  running: "it is still under way",
  paused: "it is paused, and has no result yet",
  interrupted: "it was interrupted, and has no result yet",
  cancelled: "it was cancelled, and how far it had come by then depends on the moment",
  lost: "its process was gone before it ended, and how far it had come is not recorded",
};

/** A run that has ended, with all of its events. */
export async function readRecorded(ledger: Ledger, id: string): Promise<RecordedRun> {
  const run = await requireRun(ledger, id);
  const events = await readAllEvents(ledger, id);
  // A row that says something else than the events was changed, and must not keep that from being found.
  const isAltered = findAlteredColumns(run, events).some(({ name }) => name === "status");
  const obstacle = isAltered ? null : findObstacle(run);
  if (obstacle) throw notReplayable(id, obstacle);
  return { run, events };
}

export function findObstacle({ status }: Run): string | null {
  return OBSTACLES[status];
}

/** `reason` is the rest of a sentence. */
export function notReplayable(runId: string, reason: string, hint = "Run it again instead."): DrydockError {
  return new DrydockError("input.invalid", `Run ${runId} can't be replayed: ${reason}.`, hint, { runId });
}

/** The runs that were started as parts of a run. */
export async function readParts({ ledger, readEvents }: ReplayPorts, runId: string): Promise<RecordedRun[]> {
  const parts = await ledger.listParts(runId);
  return Promise.all(parts.map(async (run) => ({ run, events: await readEvents(run.id) })));
}

/** Whether a part installed packages, which are there now. */
export function isInstallation({ events }: RecordedRun): boolean {
  const { command } = Object(events[0]?.data.request);
  return Array.isArray(command) && command.at(-1) === INSTALL_PROGRAM;
}
