import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { notReplayable } from "./read-recorded.ts";
import type { Replayed, ReplayPorts } from "./replayer.ts";

/** What a person typed is on no record, and an agent answers differently each time. */
export async function replayWrap(_ports: ReplayPorts, { run }: RecordedRun): Promise<Replayed> {
  throw notReplayable(run.id, "a person sat at the program, and what was typed is not recorded");
}
