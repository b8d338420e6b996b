import { join } from "node:path";
import { DrydockError, type Run, type RunEvent } from "@drydock/protocol";
import type { Recorder } from "../engine/index.ts";
import type { Ledger, Redactor } from "../ledger/index.ts";
import type { Records } from "./api/records.ts";

export interface RecordsPorts {
  ledger: Ledger;
  redactor: Redactor;
  home: string;
}

const PAGE = 1000;

export function createRecords(ports: RecordsPorts): Records {
  const { ledger, redactor, home } = ports;
  return {
    async report(id) {
      const run = await requireRun(ledger, id);
      const { renderReport } = await loadRecords();
      const events = await readAllEvents(ledger, id);
      return renderReport(run, events, createReaders(ledger), { redact: (text) => redactor.text(text) });
    },
    async writeRecords(id, directory = recordsDirectory(home, id)) {
      const run = await requireRun(ledger, id);
      const { writeRecords } = await loadRecords();
      return writeRecords(run, await readAllEvents(ledger, id), createReaders(ledger), directory);
    },
  };
}

/** Keeps the readable directory of a run up to date while it is under way; `past` is what is on record already. */
export async function openRecorder(
  { ledger, home }: RecordsPorts,
  runId: string,
  past: readonly RunEvent[],
  onWarning?: (message: string) => void,
): Promise<Recorder> {
  const { createRecorder } = await loadRecords();
  const directory = recordsDirectory(home, runId);
  return createRecorder({ runId, directory, readers: createReaders(ledger), past, onWarning });
}

export function recordsDirectory(home: string, runId: string): string {
  return join(home, "runs", runId);
}

// Most commands tell nothing about a run's inside, and do not wait for the code that can.
async function loadRecords() {
  return (await import("../engine/index.ts")).loadRecords();
}

function createReaders(ledger: Ledger) {
  return {
    blob: (sha256: string) => ledger.blobs.read(sha256),
    artifact: (id: string) => ledger.artifacts.read(id),
  };
}

export async function readAllEvents(ledger: Ledger, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await ledger.events(runId, { afterSeq: events.at(-1)?.seq ?? -1, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

async function requireRun(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.getRun(id);
  if (run) return run;
  const hint = "`drydock runs list` shows the runs there are.";
  throw new DrydockError("run.not_found", `There is no run ${id}.`, hint, { runId: id });
}
