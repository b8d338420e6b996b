import type { RunEvent } from "@drydock/protocol";
import type { ContentReaders } from "./content-readers.ts";
import { createRecorder } from "./recorder.ts";

export interface WrittenRecords {
  directory: string;
  files: number;
  /** What could not be written, in one sentence; null where all is there. */
  warning: string | null;
}

/** Writes a run's readable directory from its events: the same events always give the same files. */
export async function writeRecords(
  run: { id: string },
  events: readonly RunEvent[],
  readers: ContentReaders,
  directory: string,
): Promise<WrittenRecords> {
  let warning: string | null = null;
  const recorder = createRecorder({
    runId: run.id,
    directory,
    readers,
    past: events,
    onWarning: (message) => {
      warning = message;
    },
  });
  const { files } = await recorder.flush();
  return { directory, files: files + 1, warning };
}
