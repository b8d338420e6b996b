import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LedgerContext } from "../ledger-context.ts";
import { type NewEvent, type PreparedEvent, prepareEvent } from "./write-events.ts";

/**
 * What a run under way has said so far, in a file beside the ledger: a run that ends says it itself, and what is in the ledger is
 * there for good. If its process is killed, who recovers the run puts this on record. It is stored as the ledger would store it,
 * without secrets.
 */
export interface UnfinishedOutput {
  /** In place of what was kept before. */
  keep(runId: string, event: NewEvent): void;
  drop(runId: string): void;
  /** What was kept last, by whichever process; null: nothing. */
  read(runId: string): Record<string, unknown> | null;
}

const RUN_ID = /^run_\w+$/;

export function createUnfinishedOutput(context: LedgerContext): UnfinishedOutput {
  return {
    keep(runId, event) {
      mkdirSync(directoryOf(context), { recursive: true, mode: 0o700 });
      const path = pathOf(context, runId);
      const { type, text } = prepareEvent(context, event);
      writeFileSync(`${path}.new`, JSON.stringify({ type, text }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    drop: (runId) => dropUnfinished(context, runId),
    read(runId) {
      const kept = readUnfinished(context, runId);
      return kept && (JSON.parse(kept.text) as Record<string, unknown>);
    },
  };
}

/** What was kept of a run whose process is gone; null: nothing, or nothing that can be read. */
export function readUnfinished(context: LedgerContext, runId: string): PreparedEvent | null {
  try {
    const { type, text } = JSON.parse(readFileSync(pathOf(context, runId), "utf8")) as PreparedEvent;
    return prepareEvent(context, { type, data: JSON.parse(text) });
  } catch {
    return null;
  }
}

export function dropUnfinished(context: LedgerContext, runId: string): void {
  const path = pathOf(context, runId);
  for (const each of [path, `${path}.new`]) rmSync(each, { force: true });
}

/** The runs of which something is kept. */
export function listUnfinished(context: LedgerContext): string[] {
  try {
    const ids = readdirSync(directoryOf(context)).map((name) => name.replace(/\.json(?:\.new)?$/, ""));
    return ids.filter((id) => RUN_ID.test(id));
  } catch {
    return []; // nothing ever was
  }
}

function directoryOf(context: LedgerContext): string {
  return join(context.home, "unfinished");
}

function pathOf(context: LedgerContext, runId: string): string {
  if (!RUN_ID.test(runId)) throw new Error(`${JSON.stringify(runId)} is not an id of a run`);
  return join(directoryOf(context), `${runId}.json`);
}
