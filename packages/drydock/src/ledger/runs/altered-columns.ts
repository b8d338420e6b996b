import type { Run, RunEvent, RunStatus } from "@drydock/protocol";
import { foldCreated, foldTerminal, isFinalEvent } from "./fold-run.ts";

const ENDED: ReadonlySet<RunStatus> = new Set(["succeeded", "failed", "cancelled", "lost"]);

/** A column of a run's row that does not repeat what its events say. */
export interface AlteredColumn {
  name: keyof Run;
  recorded: string | null;
  is: unknown;
}

/** The columns of a run that has ended which say something else than its events: the row was changed. */
export function findAlteredColumns(run: Run, events: readonly RunEvent[]): AlteredColumn[] {
  const [created] = events;
  const ending = events.findLast(({ type }) => isFinalEvent(type));
  const first = created && foldCreated(created, created.data);
  const last = ending && foldTerminal(ending, ending.data);
  const columns: [keyof Run, string | null | undefined][] = [
    ["kind", first?.kind],
    ["title", first?.title],
    ["sessionId", first?.session_id],
    ["workspace", first?.workspace],
    // No run ends without an event: a row that says so has lost its last one.
    ["status", last ? last.status : ENDED.has(run.status) ? null : undefined],
    ["verdict", last?.verdict],
    ["errorCode", last?.error_code],
    ["treeHash", last?.tree_hash],
  ];
  return columns.flatMap(([name, recorded]) =>
    recorded === undefined || recorded === run[name] ? [] : [{ name, recorded, is: run[name] }],
  );
}
