import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunEvent } from "@drydock/protocol";
import { replaceBeneath } from "../../base/files/index.ts";
import type { ContentReaders } from "./content-readers.ts";
import { applyEvent, foldEvents } from "./fold-events.ts";
import { filesAfter, listFiles, type RecordFile, type RecordSource } from "./record-files.ts";

/** Every event of the run, one a line. */
export const EVENTS_FILE = "events.jsonl";

export interface RecorderOptions {
  runId: string;
  /** Where the files go. It is made where it does not exist, for its owner alone. */
  directory: string;
  readers: ContentReaders;
  /** What is recorded of the run already: the directory is written anew from it. */
  past?: readonly RunEvent[];
  /** Called for the first file that could not be written. A run never fails because of its directory. */
  onWarning?: (message: string) => void;
}

/** Keeps a run's directory up to date. It is a view of the ledger: what it lacks can be written again from there. */
export interface Recorder {
  /** Notes an event; the writing happens behind the run's back, in order. */
  onEvent(event: RunEvent): void;
  /** Resolves when all that was noted is written, with how many files could not be. */
  flush(): Promise<{ files: number; failed: number }>;
}

export function createRecorder({ runId, directory, readers, past = [], onWarning }: RecorderOptions): Recorder {
  const view = foldEvents(past);
  const written = new Map<string, string>();
  const failed = new Set<string>();
  let lastSeq = past.at(-1)?.seq ?? -1;
  let queue = start();

  async function start(): Promise<void> {
    await attempt(EVENTS_FILE, () => replaceBeneath(directory, EVENTS_FILE, past.map(toLine).join("")));
    for (const file of listFiles(runId, view)) await write(file);
  }

  async function write({ path, source }: RecordFile): Promise<void> {
    const name = "blob" in source ? source.blob : "artifact" in source ? source.artifact : source.text;
    if (written.get(path) === name) return;
    const done = await attempt(path, async () => replaceBeneath(directory, path, await readSource(readers, source)));
    if (done) written.set(path, name);
  }

  async function attempt(path: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      failed.delete(path);
      return true;
    } catch (error) {
      if (failed.size === 0) {
        const reason = error instanceof Error ? error.message : String(error);
        onWarning?.(`The run's directory ${directory} is not complete: ${path} can't be written (${reason}).`);
      }
      failed.add(path);
      return false;
    }
  }

  return {
    onEvent(event) {
      if (event.seq <= lastSeq) return;
      lastSeq = event.seq;
      applyEvent(view, event);
      const files = filesAfter(runId, view, event);
      queue = queue.then(async () => {
        await attempt(EVENTS_FILE, () => appendFile(join(directory, EVENTS_FILE), toLine(event)));
        for (const file of files) await write(file);
      });
    },
    async flush() {
      await queue;
      return { files: written.size, failed: failed.size };
    },
  };
}

export const toLine = (event: RunEvent) => `${JSON.stringify(event)}\n`;

export async function readSource(readers: ContentReaders, source: RecordSource): Promise<string | Uint8Array> {
  if ("blob" in source) return readers.blob(source.blob);
  return "artifact" in source ? readers.artifact(source.artifact) : source.text;
}
