import type { RunEvent } from "@drydock/protocol";
import type { ContentReaders } from "./content-readers.ts";
import { foldEvents } from "./fold-events.ts";
import { listFiles } from "./record-files.ts";
import { createRecorder, EVENTS_FILE, readSource, toLine } from "./recorder.ts";

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

/** The run's readable files, without writing them. Their contents are read when they are asked for. */
export function openRecords(
  run: { id: string },
  events: readonly RunEvent[],
  readers: ContentReaders,
): { paths: string[]; read(path: string): Promise<Uint8Array> | null } {
  const sources = new Map(listFiles(run.id, foldEvents(events)).map(({ path, source }) => [path, source]));
  sources.set(EVENTS_FILE, { text: events.map(toLine).join("") });
  return {
    paths: [...sources.keys()],
    read(path) {
      const source = sources.get(path);
      return source === undefined ? null : readSource(readers, source).then((content) => Buffer.from(content));
    },
  };
}
